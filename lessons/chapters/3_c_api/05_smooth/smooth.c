/* The function of smooth.h, and how the checker shows that two threads are in it at a time. */
#define _GNU_SOURCE
#include "smooth.h"
#include <math.h>
#include <pthread.h>
#include <time.h>

enum { SECONDS = 3 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int expected; /* the threads that have to meet, 0 if none */
static int present;  /* the threads that are waiting, or have met */

/* Wait until `expected` threads are here, but not for ever. Return 1 if they are. */
static int meet(void) {
  pthread_mutex_lock(&mutex);
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += SECONDS;
  present++;
  pthread_cond_broadcast(&changed);
  while (present < expected)
    if (pthread_cond_timedwait(&changed, &mutex, &until))
      break;
  int met = present >= expected;
  if (!met)
    expected = 0; /* nobody else waits in vain */
  pthread_mutex_unlock(&mutex);
  return met;
}

void smooth_expect(int threads) {
  pthread_mutex_lock(&mutex);
  expected = threads;
  present = 0;
  pthread_mutex_unlock(&mutex);
}

/* Wait until a thread is in smooth_values. Return 0 if none comes. */
int smooth_entered(void) {
  pthread_mutex_lock(&mutex);
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += SECONDS;
  while (!present && !pthread_cond_timedwait(&changed, &mutex, &until))
    ;
  int entered = present && expected;
  pthread_mutex_unlock(&mutex);
  return entered;
}

int smooth_join(void) { return meet(); }

int smooth_values(double *values, size_t n) {
  if (expected)
    meet();
  for (size_t i = 0; i < n; i++) {
    if (!isfinite(values[i]))
      return -1;
    if (i)
      values[i] = (values[i - 1] + values[i]) / 2;
  }
  return 0;
}
