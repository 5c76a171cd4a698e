/* interrupt.c: the early end of a long call.
 *
 * Every loop whose length depends on the text calls bpe_stopped and leaves if that is true. Its
 * results are then discarded, and need not even be correct: the function that was called from
 * outside returns CK_INTERRUPTED.
 */
#include "interrupt.h"

#include <pthread.h>
#include <time.h>

enum { CHECKS = 64 }; /* for each look at the clock */
static const int64_t PERIOD = 50 * 1000 * 1000;

static int64_t nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * (int64_t)1000000000 + now.tv_nsec;
}

void bpe_set_thread(ck_interrupt *interrupt) { interrupt->thread = (uintptr_t)pthread_self(); }

static int asked_to_end(ck_interrupt *interrupt) {
  if (interrupt->stop && __atomic_load_n(interrupt->stop, __ATOMIC_RELAXED))
    return 1;
  if (!interrupt->ask || interrupt->thread != (uintptr_t)pthread_self() ||
      interrupt->checks++ % CHECKS != 0)
    return 0;
  int64_t now = nanoseconds();
  if (interrupt->asked == 0)
    interrupt->asked = now;
  if (now - interrupt->asked < PERIOD)
    return 0;
  interrupt->asked = now;
  return interrupt->ask(interrupt->context) != 0;
}

int bpe_interrupted(ck_interrupt *interrupt) {
  if (__atomic_load_n(&interrupt->ended, __ATOMIC_RELAXED))
    return 1;
  int ends = asked_to_end(interrupt);
  if (ends)
    __atomic_store_n(&interrupt->ended, 1, __ATOMIC_RELAXED);
  return ends;
}
