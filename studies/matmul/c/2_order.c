/* Step 2, loop order: the same sums, with the loop over columns innermost.
 *
 * Build: cc -O2 -march=native -fno-tree-vectorize
 * Or:    cc -O3 -march=native
 * Run:   the same with run.c -lm appended, then ./a.out 1024
 * Idea:  b and c are read along their rows: all floats of a cache line are used, and the sums of a
 *        row do not wait for each other. So a compiler may compute several at once ("Or").
 * Waits: for c, which is loaded and stored for every multiply-add.
 */
void matmul(long m, long k, long n, const float *a, const float *b, float *restrict c) {
  for (long i = 0; i < m; i++) {
    for (long j = 0; j < n; j++)
      c[i * n + j] = 0;
    for (long p = 0; p < k; p++)
      for (long j = 0; j < n; j++)
        c[i * n + j] += a[i * k + p] * b[p * n + j];
  }
}
