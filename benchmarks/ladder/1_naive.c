/* The definition. Every product walks down a column of b: a cache line for one number of it. */
#include "ladder.h"

static void matmul(int n, const float *restrict a, const float *restrict b, float *restrict out,
                   int threads) {
  (void)threads;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      float sum = 0;
      for (int k = 0; k < n; k++)
        sum += a[i * n + k] * b[k * n + j];
      out[i * n + j] = sum;
    }
}
