/* Run a step by hand: cc -O3 -march=native 4_simd.c run.c -lm && ./a.out 1024
 *
 * Multiplies two square matrices of the given size, compares the result with sums in double
 * precision, and prints the best of five times. `nox -s study -- matmul` measures more carefully.
 */
#define _POSIX_C_SOURCE 199309L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

void matmul(long m, long k, long n, const float *a, const float *b, float *c);

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv) {
  long n = argc > 1 ? atol(argv[1]) : 1024;
  if (n < 1 || n > 1 << 15)
    return fprintf(stderr, "a size from 1 to 32768, not %s\n", argv[1]), 2;
  float *memory = malloc(sizeof(float) * 3 * (size_t)(n * n));
  if (!memory)
    return fprintf(stderr, "no memory for three matrices of %ld x %ld\n", n, n), 2;
  float *a = memory, *b = a + n * n, *c = b + n * n;
  for (long i = 0; i < 2 * n * n; i++)
    memory[i] = (float)rand() / (float)RAND_MAX - 0.5f;
  double best = INFINITY;
  for (int turn = 0; turn < 5; turn++) {
    double start = now();
    matmul(n, n, n, a, b, c);
    best = fmin(best, now() - start);
  }
  for (long i = 0; i < n; i += 1 + n / 16)
    for (long j = 0; j < n; j++) {
      double sum = 0, sizes = 0;
      for (long p = 0; p < n; p++) {
        double product = (double)a[i * n + p] * b[p * n + j];
        sum += product;
        sizes += fabs(product);
      }
      if (!(fabs(c[i * n + j] - sum) <= (double)n * 0x1p-24 * sizes))
        return fprintf(stderr, "wrong at %ld, %ld: %g, not %g\n", i, j, c[i * n + j], sum), 1;
    }
  printf("%.1f GFLOP/s\n", 2e-9 * (double)n * (double)n * (double)n / best);
  free(memory);
}
