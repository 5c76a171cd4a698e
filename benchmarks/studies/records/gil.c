// How much of the time a thread that comes at any moment finds the GIL held by another thread.
#include <stdint.h>
#include <time.h>

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

// Look every `pause` ns until `*stop`. Return the share of the looks at which the GIL was held: to
// acquire it took `least` ns or more. A wait of several pauses counts as several looks.
double share_held(int64_t pause, int64_t least, int (*acquire)(void), void (*release)(int),
                  const volatile int32_t *stop) {
  int64_t looks = 0, held = 0;
  while (!*stop) {
    const struct timespec wait = {0, pause};
    nanosleep(&wait, NULL);
    const int64_t before = now();
    const int state = acquire();
    const int64_t waited = now() - before, missed = waited / pause;
    release(state);
    looks += 1 + missed;
    held += waited < least ? 0 : 1 + missed;
  }
  return looks ? (double)held / looks : 0;
}
