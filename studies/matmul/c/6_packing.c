/* Step 6, packing: a block is copied into the order in which the tile reads it.
 *
 * Build: cc -O3 -march=native
 * Run:   the same with run.c -lm appended, then ./a.out 1024
 * Idea:  panels of b WIDTH floats wide and of a ROWS floats high, read from one end to the other:
 *        few pages, no two lines in the same place of the cache, and a simple pattern for the
 *        prefetcher. A copy is n^2 work for n^3 use. Panels are filled up with zeros, so every tile
 *        is whole.
 * Waits: hardly. The rest is the overhead of the tiles, the copies, and the limit of one core.
 */
#include <stdlib.h>
#include <string.h>

#if defined(__AVX512F__)
enum { BYTES = 64, ROWS = 8, COLS = 3 }; /* 24 sums in 32 registers: edges cost nothing now */
#elif defined(__AVX__)
enum { BYTES = 32, ROWS = 6, COLS = 2 }; /* 12 in 16 */
#else
enum { BYTES = 16, ROWS = 4, COLS = 2 };
#endif
typedef float vector __attribute__((vector_size(BYTES)));
enum { LANES = BYTES / 4, WIDTH = COLS * LANES, M_BLOCK = 40 * ROWS, K_BLOCK = 512 };
enum { N_BLOCK = 48 * WIDTH };

#define EACH(i, n) _Pragma("GCC unroll 24") for (int i = 0; i < n; i++)
static long least(long x, long y) { return x < y ? x : y; }

/* Add `depth` products to each of rows x cols elements of c. The panels hold ROWS and WIDTH. */
static void tile(long depth, const float *a, const vector *b, float *c, long n, long rows,
                 long cols) {
  vector sum[ROWS][COLS] = {{{0}}};
  for (long p = 0; p < depth; p++, a += ROWS, b += COLS)
    EACH(row, ROWS) EACH(col, COLS) sum[row][col] += a[row] * b[col];
  float done[ROWS][WIDTH];
  memcpy(done, sum, sizeof done);
  for (long i = 0; i < rows; i++)
    for (long j = 0; j < cols; j++)
      c[i * n + j] += done[i][j];
}

/* Copy `size` x depth floats from x into panels `wide` across, filled up with zeros. The floats are
 * `step` apart in x along the panel's width, and `next` apart from one k to the next. */
static void pack(float *to, long size, long depth, long wide, const float *x, long step,
                 long next) {
  for (long i = 0; i < size; i += wide) {
    long count = least(wide, size - i);
    for (long p = 0; p < depth; p++, to += wide) {
      for (long w = 0; w < count; w++)
        to[w] = x[(i + w) * step + p * next];
      for (long w = count; w < wide; w++)
        to[w] = 0;
    }
  }
}

void matmul(long m, long k, long n, const float *a, const float *b, float *c) {
  float *a_panels = aligned_alloc(64, sizeof(float) * M_BLOCK * K_BLOCK);
  float *b_panels = aligned_alloc(64, sizeof(float) * K_BLOCK * N_BLOCK);
  if (!a_panels || !b_panels)
    abort();
  memset(c, 0, (size_t)(m * n) * sizeof *c);
  for (long j = 0; j < n; j += N_BLOCK)
    for (long p = 0; p < k; p += K_BLOCK) {
      long depth = least(K_BLOCK, k - p), wide = least(N_BLOCK, n - j);
      pack(b_panels, wide, depth, WIDTH, b + p * n + j, 1, n);
      for (long i = 0; i < m; i += M_BLOCK) {
        long high = least(M_BLOCK, m - i);
        pack(a_panels, high, depth, ROWS, a + i * k + p, k, 1);
        for (long col = 0; col < wide; col += WIDTH)
          for (long row = 0; row < high; row += ROWS)
            tile(depth, a_panels + row * depth, (const vector *)(b_panels + col * depth),
                 c + (i + row) * n + j + col, n, least(ROWS, high - row), least(WIDTH, wide - col));
      }
    }
  free(a_panels);
  free(b_panels);
}
