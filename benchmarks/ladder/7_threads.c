/* Each thread takes the next columns that nobody has begun. An element of out is still the sum of the
 * same products in the same order: no bit of it depends on the number of threads. */
#include "../../c_src/pool.h"
#include "ladder.h"
#include "vectors.h"

enum { DEPTH = 480 };

typedef struct {
  int n, k, depth;
  const float *a, *b;
  float *out;
} block;

static void columns(void *job, int part, int seat) {
  static _Thread_local float panel[DEPTH * WIDTH];
  const block *at = job;
  int n = at->n, j = part * WIDTH;
  (void)seat;
  for (int p = 0; p < at->depth; p++)
    for (int c = 0; c < WIDTH; c++)
      panel[p * WIDTH + c] = at->b[(at->k + p) * n + j + c];
  for (int i = 0; i < n; i += ROWS)
    tile(at->depth, at->a + i * n + at->k, n, panel, WIDTH, at->out + i * n + j, n, at->k == 0);
}

static void matmul(int n, const float *restrict a, const float *restrict b, float *restrict out,
                   int threads) {
  for (int k = 0; k < n; k += DEPTH) {
    block at = {n, k, n - k < DEPTH ? n - k : DEPTH, a, b, out};
    ck_pool_run(columns, &at, n / WIDTH, threads);
  }
}
