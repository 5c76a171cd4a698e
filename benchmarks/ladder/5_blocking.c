/* Blocks that stay in the caches: DEPTH rows of a tile's columns of b, used by all rows of a before
 * the next are fetched. */
#include "ladder.h"
#include "vectors.h"

enum { DEPTH = 480 };

static void matmul(int n, const float *restrict a, const float *restrict b, float *restrict out,
                   int threads) {
  (void)threads;
  for (int k = 0; k < n; k += DEPTH) {
    int depth = n - k < DEPTH ? n - k : DEPTH;
    for (int j = 0; j < n; j += WIDTH)
      for (int i = 0; i < n; i += ROWS)
        tile(depth, a + i * n + k, n, b + k * n + j, n, out + i * n + j, n, k == 0);
  }
}
