/* Step 1, naive: an element of c is a row of a times a column of b.
 *
 * Build: cc -O2 -march=native -fno-tree-vectorize
 * Run:   the same with run.c -lm appended, then ./a.out 1024
 * Idea:  the definition, loop by loop. c (m,n) = a (m,k) @ b (k,n), all C-contiguous.
 * Waits: for memory, as a step down a column of b is n floats long and only one of the 16 floats of
 *        each cache line is used; and for itself, as every sum needs the one before.
 */
void matmul(long m, long k, long n, const float *a, const float *b, float *c) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++) {
      float sum = 0;
      for (long p = 0; p < k; p++)
        sum += a[i * k + p] * b[p * n + j];
      c[i * n + j] = sum;
    }
}
