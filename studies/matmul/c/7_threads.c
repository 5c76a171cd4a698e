/* Step 7, threads: every core multiplies a band of rows.
 *
 * Build: cc -O3 -march=native -pthread
 * Run:   the same with run.c -lm appended, then ./a.out 1024
 * Idea:  rows of c are independent, so threads share a and b, which are only read, and meet only at
 *        the end. LADDER_THREADS is their number; without it, one thread runs on each processor.
 * Waits: for the slowest: bands are assigned once, and starting a thread takes 20 us or more. A
 *        persistent pool that assigns smaller parts (c_src/common/pool.c) fixes both; each thread
 *        also packs b again.
 */
#define matmul matmul_band
#include "6_packing.c"
#undef matmul

#include <pthread.h>
#include <unistd.h>

enum { MOST = 256 };

typedef struct {
  long m, k, n;
  const float *a, *b;
  float *c;
} band;

static void *run(void *argument) {
  band *x = argument;
  matmul_band(x->m, x->k, x->n, x->a, x->b, x->c);
  return NULL;
}

void matmul(long m, long k, long n, const float *a, const float *b, float *c) {
  const char *given = getenv("LADDER_THREADS");
  long threads = least(MOST, given ? atol(given) : sysconf(_SC_NPROCESSORS_ONLN));
  if (threads < 1)
    threads = 1;
  long high = (m + threads - 1) / threads;
  high = (high + ROWS - 1) / ROWS * ROWS; /* whole tiles */
  pthread_t started[MOST];
  band bands[MOST];
  int count = 0;
  for (long i = 0; i < m; i += high) {
    band *x = &bands[count];
    *x = (band){least(high, m - i), k, n, a + i * k, b, c + i * n};
    if (i + high >= m || pthread_create(&started[count], NULL, run, x) != 0)
      run(x); /* this thread takes the last band, and any whose thread could not be started */
    else
      count++;
  }
  while (count-- > 0)
    pthread_join(started[count], NULL);
}
