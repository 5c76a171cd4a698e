/* The tile of vectors.h, as many sums as there are registers. From here on memory is what limits. */
#include "ladder.h"
#include "vectors.h"

static void matmul(int n, const float *restrict a, const float *restrict b, float *restrict out,
                   int threads) {
  (void)threads;
  for (int i = 0; i < n; i += ROWS)
    for (int j = 0; j < n; j += WIDTH)
      tile(n, a + i * n, n, b + j, n, out + i * n + j, n, 1);
}
