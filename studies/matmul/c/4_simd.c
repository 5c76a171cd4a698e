/* Step 4, SIMD: the columns of the tile are vectors.
 *
 * Build: cc -O3 -march=native
 * Run:   the same with run.c -lm appended, then ./a.out 1024
 * Idea:  a multiply-add takes as long for a whole register as for one float. GCC and Clang have
 *        vector types, so the arithmetic reads as before. A tile needs a sum for each multiply-add
 *        in flight, but no more sums than there are registers.
 * Waits: for a and b, which come through ever slower caches as the matrices grow.
 */
#if defined(__AVX512F__)
enum { BYTES = 64, ROWS = 8, COLS = 2 }; /* 16 sums in 32 registers */
#elif defined(__AVX__)
enum { BYTES = 32, ROWS = 4, COLS = 2 }; /* 8 in 16 */
#else
enum { BYTES = 16, ROWS = 4, COLS = 2 };
#endif
typedef float vector __attribute__((vector_size(BYTES)));
typedef float anywhere __attribute__((vector_size(BYTES), aligned(4), may_alias));
enum { LANES = BYTES / 4, WIDTH = COLS * LANES };

#define EACH(i, n) _Pragma("GCC unroll 16") for (int i = 0; i < n; i++)

/* Compute ROWS x WIDTH elements of c. */
static void tile(long k, long n, const float *a, const float *b, float *c) {
  vector sum[ROWS][COLS] = {{{0}}}, part[COLS];
  for (long p = 0; p < k; p++) {
    EACH(col, COLS) part[col] = *(const anywhere *)(b + p * n + col * LANES);
    EACH(row, ROWS) EACH(col, COLS) sum[row][col] += a[row * k + p] * part[col];
  }
  EACH(row, ROWS) EACH(col, COLS) * (anywhere *)(c + row * n + col * LANES) = sum[row][col];
}

/* Compute the elements of one row of c from column j on, which no tile covers, as step 2 does. */
static void rest(long k, long n, const float *a, const float *b, float *restrict c, long from) {
  for (long j = from; j < n; j++)
    c[j] = 0;
  for (long p = 0; p < k; p++)
    for (long j = from; j < n; j++)
      c[j] += a[p] * b[p * n + j];
}

void matmul(long m, long k, long n, const float *a, const float *b, float *c) {
  long whole_m = m - m % ROWS, whole_n = n - n % WIDTH;
  for (long j = 0; j < whole_n; j += WIDTH)
    for (long i = 0; i < whole_m; i += ROWS)
      tile(k, n, a + i * k, b + j, c + i * n + j);
  for (long i = 0; i < m; i++)
    rest(k, n, a + i * k, b, c + i * n, i < whole_m ? whole_n : 0);
}
