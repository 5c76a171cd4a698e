/* Step 3, a tile in registers: 4 x 4 sums are finished before anything is stored.
 *
 * Build: cc -O2 -march=native -fno-tree-vectorize
 * Run:   the same with run.c -lm appended, then ./a.out 1024
 * Idea:  the loop over k is innermost again, but for 16 elements of c at a time: c is stored once,
 *        8 loads serve 16 multiply-adds, and 16 chains hide each other's latency.
 * Waits: for the width of an addition only: one float.
 */
enum { ROWS = 4, COLS = 4 };

#define EACH(i, n) _Pragma("GCC unroll 16") for (int i = 0; i < n; i++)

/* Compute ROWS x COLS elements of c. All loops except the one over k are unrolled: sum is 16
 * registers. */
static void tile(long k, long n, const float *a, const float *b, float *c) {
  float sum[ROWS][COLS] = {{0}};
  for (long p = 0; p < k; p++)
    EACH(row, ROWS) EACH(col, COLS) sum[row][col] += a[row * k + p] * b[p * n + col];
  EACH(row, ROWS) EACH(col, COLS) c[row * n + col] = sum[row][col];
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
  long whole_m = m - m % ROWS, whole_n = n - n % COLS;
  for (long j = 0; j < whole_n; j += COLS)
    for (long i = 0; i < whole_m; i += ROWS)
      tile(k, n, a + i * k, b + j, c + i * n + j);
  for (long i = 0; i < m; i++)
    rest(k, n, a + i * k, b, c + i * n, i < whole_m ? whole_n : 0);
}
