/* The same loops in another order. All that is read lies side by side, so the compiler uses vectors;
 * but each multiply-add still loads and stores its element of out. */
#include "ladder.h"

static void matmul(int n, const float *restrict a, const float *restrict b, float *restrict out,
                   int threads) {
  (void)threads;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++)
      out[i * n + j] = 0;
    for (int k = 0; k < n; k++)
      for (int j = 0; j < n; j++)
        out[i * n + j] += a[i * n + k] * b[k * n + j];
  }
}
