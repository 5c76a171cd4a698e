/* Step 5, blocking: the loops are divided so that reused data is still in a cache.
 *
 * Build: cc -O3 -march=native
 * Run:   the same with run.c -lm appended, then ./a.out 1024
 * Idea:  a block of a (M_BLOCK x K_BLOCK, 384 KB) stays in the second cache while strips of b are
 *        multiplied by it; a strip (K_BLOCK x WIDTH, 48 KB) stays in the first cache while the rows
 *        of the block use it. The
 *        price: c is added to once for each block of k.
 * Waits: for the addresses: neighbours in a column are n floats apart, each in another page, and if
 *        n is a power of two they compete for the same few places in the cache.
 */
#include <string.h>

#if defined(__AVX512F__)
enum { BYTES = 64, ROWS = 8, COLS = 2 };
#elif defined(__AVX__)
enum { BYTES = 32, ROWS = 4, COLS = 2 };
#else
enum { BYTES = 16, ROWS = 4, COLS = 2 };
#endif
typedef float vector __attribute__((vector_size(BYTES)));
typedef float anywhere __attribute__((vector_size(BYTES), aligned(4), may_alias));
enum { LANES = BYTES / 4, WIDTH = COLS * LANES, M_BLOCK = 256, K_BLOCK = 384 };

#define EACH(i, n) _Pragma("GCC unroll 16") for (int i = 0; i < n; i++)
static long least(long x, long y) { return x < y ? x : y; }

/* Add `depth` products to each of ROWS x WIDTH elements of c. */
static void tile(long depth, long k, long n, const float *a, const float *b, float *c) {
  vector sum[ROWS][COLS] = {{{0}}}, part[COLS];
  for (long p = 0; p < depth; p++) {
    EACH(col, COLS) part[col] = *(const anywhere *)(b + p * n + col * LANES);
    EACH(row, ROWS) EACH(col, COLS) sum[row][col] += a[row * k + p] * part[col];
  }
  EACH(row, ROWS) EACH(col, COLS) * (anywhere *)(c + row * n + col * LANES) += sum[row][col];
}

/* Compute the elements of one row of c from column j on, which no tile covers, as step 2 does. */
static void rest(long depth, long n, const float *a, const float *b, float *restrict c, long from) {
  for (long p = 0; p < depth; p++)
    for (long j = from; j < n; j++)
      c[j] += a[p] * b[p * n + j];
}

/* c (m, n) += a (m, depth) @ b (depth, n); rows of a are k long. */
static void block(long m, long depth, long n, long k, const float *a, const float *b, float *c) {
  long whole_m = m - m % ROWS, whole_n = n - n % WIDTH;
  for (long j = 0; j < whole_n; j += WIDTH)
    for (long i = 0; i < whole_m; i += ROWS)
      tile(depth, k, n, a + i * k, b + j, c + i * n + j);
  for (long i = 0; i < m; i++)
    rest(depth, n, a + i * k, b, c + i * n, i < whole_m ? whole_n : 0);
}

void matmul(long m, long k, long n, const float *a, const float *b, float *c) {
  memset(c, 0, (size_t)(m * n) * sizeof *c);
  for (long p = 0; p < k; p += K_BLOCK)
    for (long i = 0; i < m; i += M_BLOCK)
      block(least(M_BLOCK, m - i), least(K_BLOCK, k - p), n, k, a + i * k + p, b + p * n,
            c + i * n);
}
