/* The columns of b that a tile reads are first copied side by side: one stream through memory in
 * place of a row here and a row there. A copy is used by all rows of a, so it costs next to nothing. */
#include "ladder.h"
#include "vectors.h"

enum { DEPTH = 480 };

static void matmul(int n, const float *restrict a, const float *restrict b, float *restrict out,
                   int threads) {
  static float panel[DEPTH * WIDTH];
  (void)threads;
  for (int k = 0; k < n; k += DEPTH) {
    int depth = n - k < DEPTH ? n - k : DEPTH;
    for (int j = 0; j < n; j += WIDTH) {
      for (int p = 0; p < depth; p++)
        for (int c = 0; c < WIDTH; c++)
          panel[p * WIDTH + c] = b[(k + p) * n + j + c];
      for (int i = 0; i < n; i += ROWS)
        tile(depth, a + i * n + k, n, panel, WIDTH, out + i * n + j, n, k == 0);
    }
  }
}
