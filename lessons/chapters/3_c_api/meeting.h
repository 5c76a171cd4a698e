/* How a checker shows, without a clock, that two threads can be in a function at the same time: each
 * of them waits in it until the other one arrives, for a few seconds at most. Included by one C file. */
#ifndef MEETING_H
#define MEETING_H
#include <pthread.h>
#include <time.h>

enum { MEETING_MILLISECONDS = 6000 };

static pthread_mutex_t meeting_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t meeting_changed = PTHREAD_COND_INITIALIZER;
static int meeting_expected; /* the threads that have to meet, 0 if none */
static int meeting_present;  /* the threads that wait, or have met */

/* Return the time that many milliseconds from now. */
static struct timespec meeting_time(long milliseconds) {
  struct timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  time.tv_nsec += milliseconds % 1000 * 1000000;
  time.tv_sec += milliseconds / 1000 + time.tv_nsec / 1000000000;
  time.tv_nsec %= 1000000000;
  return time;
}

/* From now on, let each call wait until that number of threads has arrived. */
void meeting_expect(int threads) {
  pthread_mutex_lock(&meeting_mutex);
  meeting_expected = threads;
  meeting_present = 0;
  pthread_mutex_unlock(&meeting_mutex);
}

/* Wait until all expected threads have arrived. Return 1 if they have, 0 after a few seconds. */
int meeting_join(void) {
  pthread_mutex_lock(&meeting_mutex);
  struct timespec until = meeting_time(MEETING_MILLISECONDS);
  meeting_present++;
  pthread_cond_broadcast(&meeting_changed);
  while (meeting_present < meeting_expected)
    if (pthread_cond_timedwait(&meeting_changed, &meeting_mutex, &until))
      meeting_expected = 0; /* nobody else waits in vain */
  int met = meeting_expected > 0;
  pthread_mutex_unlock(&meeting_mutex);
  return met;
}

/* Return the number of threads that have arrived; wait a moment for the first if there is none. */
int meeting_count(void) {
  pthread_mutex_lock(&meeting_mutex);
  struct timespec until = meeting_time(50);
  if (!meeting_present)
    pthread_cond_timedwait(&meeting_changed, &meeting_mutex, &until);
  int count = meeting_present;
  pthread_mutex_unlock(&meeting_mutex);
  return count;
}

#endif
