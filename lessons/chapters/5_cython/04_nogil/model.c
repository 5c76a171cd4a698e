#include "model.h"
#include <math.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int expected, inside, met;

/* Let the next call wait until so many threads are in predict at once, or two seconds have passed. */
void expect_threads(int n) {
  pthread_mutex_lock(&lock);
  expected = n;
  inside = met = 0;
  pthread_mutex_unlock(&lock);
}

/* Return 1 if they have met. */
int threads_have_met(void) { return met; }

static void wait_for_others(void) {
  struct timespec end;
  clock_gettime(CLOCK_REALTIME, &end);
  end.tv_sec += 2;
  pthread_mutex_lock(&lock);
  met |= expected > 0 && ++inside == expected;
  pthread_cond_broadcast(&changed);
  for (int late = 0; expected > 0 && !met && !late;)
    late = pthread_cond_timedwait(&changed, &lock, &end);
  expected = 0;
  pthread_mutex_unlock(&lock);
}

double predict(double x) {
  if (expected)
    wait_for_others();
  return x < 0 ? NAN : x * x + 1;
}
