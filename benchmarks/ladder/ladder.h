/* What every step of the ladder shares: a main that checks the step's matmul and times it.
 *
 * `step N ROUNDS THREADS` multiplies two N x N float matrices and prints, for each round, the share
 * of the peak of one core that was reached, the peak being measured just before. N is a multiple of
 * 48, so that no step has edges to show. */
#include "../peak.c"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void matmul(int n, const float *restrict a, const float *restrict b, float *restrict out,
                   int threads);

/* One thread counts what the processor gave it, for others may use it too; several, what went by. */
static clockid_t timer = CLOCK_PROCESS_CPUTIME_ID;

static double seconds(void) {
  struct timespec now;
  clock_gettime(timer, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static float *matrix(int n) {
  size_t size = ((size_t)n * (size_t)n * sizeof(float) + 4095) / 4096 * 4096;
  float *values = aligned_alloc(4096, size);
  for (int i = 0; i < n * n; i++)
    values[i] = (float)(i * 7919 % 2001) / 1000.0f - 1.0f;
  return values;
}

static int is_right(int n, const float *a, const float *b, const float *out) {
  for (int at = 0; at < n * n; at += 997) {
    double exact = 0, magnitude = 0;
    for (int k = 0; k < n; k++) {
      double term = (double)a[at / n * n + k] * b[k * n + at % n];
      exact += term;
      magnitude += fabs(term);
    }
    if (!(fabs(out[at] - exact) <= n * 0x1p-24 * magnitude))
      return 0;
  }
  return 1;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 960, rounds = argc > 2 ? atoi(argv[2]) : 3;
  int threads = argc > 3 ? atoi(argv[3]) : 1;
  if (n < 48 || n % 48 != 0)
    return 2;
  if (threads > 1)
    timer = CLOCK_MONOTONIC;
  float *a = matrix(n), *b = matrix(n), *out = matrix(n), sink = 0;
  double work = 2.0 * n * n * n;
  matmul(n, a, b, out, threads);
  if (!is_right(n, a, b, out))
    return 1;
  for (int round = 0; round < rounds; round++) {
    double start = seconds();
    size_t operations = peak(200000, &sink);
    double best = (double)operations / (seconds() - start);
    int times = 0;
    start = seconds();
    do {
      matmul(n, a, b, out, threads);
      times++;
    } while (seconds() - start < 0.05);
    printf("%.4f\n", work * times / (seconds() - start) / best);
  }
  return sink == 0;
}
