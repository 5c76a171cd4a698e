/* How a checker shows, without a clock, that two threads can be in a function at the same time: each
 * of them waits in it until the other one is there, but not for ever. Included by one C file. */
#ifndef MEETING_H
#define MEETING_H
#include <pthread.h>
#include <time.h>

enum { MEETING_SECONDS = 3 };

static pthread_mutex_t meeting_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t meeting_changed = PTHREAD_COND_INITIALIZER;
static int meeting_expected; /* the threads that have to meet, 0 if none */
static int meeting_present;  /* the threads that wait, or have met */

static struct timespec meeting_deadline(void) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += MEETING_SECONDS;
  return until;
}

/* Let the calls from now on wait until that many threads are there. */
void meeting_expect(int threads) {
  pthread_mutex_lock(&meeting_mutex);
  meeting_expected = threads;
  meeting_present = 0;
  pthread_mutex_unlock(&meeting_mutex);
}

/* Wait until the expected threads are here. Return 1 if they are, 0 if they did not come. */
int meeting_join(void) {
  pthread_mutex_lock(&meeting_mutex);
  struct timespec until = meeting_deadline();
  meeting_present++;
  pthread_cond_broadcast(&meeting_changed);
  while (meeting_present < meeting_expected)
    if (pthread_cond_timedwait(&meeting_changed, &meeting_mutex, &until))
      meeting_expected = 0; /* nobody else waits in vain */
  int met = meeting_expected > 0;
  pthread_mutex_unlock(&meeting_mutex);
  return met;
}

/* Wait until one thread is there. Return 0 if none comes, or if it no longer waits. */
int meeting_entered(void) {
  pthread_mutex_lock(&meeting_mutex);
  struct timespec until = meeting_deadline();
  while (!meeting_present && !pthread_cond_timedwait(&meeting_changed, &meeting_mutex, &until))
    ;
  int waits = meeting_present && meeting_expected;
  pthread_mutex_unlock(&meeting_mutex);
  return waits;
}

#endif
