#define _GNU_SOURCE /* sched_getaffinity */
#include "pool.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <unistd.h>
#if defined(__linux__)
#include <sched.h>
#endif

enum { MOST_THREADS = 64, SPINS = 1000 };

/* `room` counts in its upper half the threads that may still join the call that is served, in its
 * lower half those that have joined and not yet left. To close the call is to clear the upper half:
 * from then on nobody enters, and when it is 0 nobody looks at the job any more. */
enum { SEAT = 1 << 16, INSIDE = SEAT - 1 };

typedef struct {
  atomic_bool busy; /* serving a call */
  atomic_int room;
  atomic_int next; /* the first part that nobody has begun */
  void (*work)(void *, int, int);
  void *job;
  int parts;

  int threads; /* made so far; changed only by who holds `busy` */
  pthread_mutex_t lock;
  pthread_cond_t wake, empty; /* there may be room; room is 0 */
  atomic_int sleeping;
  atomic_bool waiting; /* the caller sleeps until the room is empty */
} ck_pool;

#define NEW_POOL                                                                                   \
  {.lock = PTHREAD_MUTEX_INITIALIZER,                                                              \
   .wake = PTHREAD_COND_INITIALIZER,                                                               \
   .empty = PTHREAD_COND_INITIALIZER}

static ck_pool pool = NEW_POOL;

/* In the child of a fork, where no thread has survived but the one that forked. */
static void forget(void) { pool = (ck_pool)NEW_POOL; }

static inline void pause_briefly(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("isb");
#endif
}

static inline int least(int x, int y) { return x < y ? x : y; }

static int processors(void) {
#if defined(__linux__)
  cpu_set_t allowed; /* too small for more than 1024 processors: then the call fails */
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0)
    return CPU_COUNT(&allowed);
#endif
  return (int)sysconf(_SC_NPROCESSORS_ONLN);
}

static void take_parts(int seat) {
  for (int part; (part = atomic_fetch_add(&pool.next, 1)) < pool.parts;)
    pool.work(pool.job, part, seat);
}

/* The seat taken, which nobody else takes during this call, or 0, the caller's. */
static int join(void) {
  int room = atomic_load(&pool.room);
  while (room >= SEAT)
    if (atomic_compare_exchange_weak(&pool.room, &room, room - SEAT + 1))
      return room / SEAT;
  return 0;
}

static void leave(void) {
  if (atomic_fetch_sub(&pool.room, 1) == 1 && atomic_load(&pool.waiting)) {
    pthread_mutex_lock(&pool.lock);
    pthread_cond_signal(&pool.empty);
    pthread_mutex_unlock(&pool.lock);
  }
}

static void wait_for_room(void) {
  for (int i = 0; i < SPINS; i++, pause_briefly())
    if (atomic_load_explicit(&pool.room, memory_order_relaxed) >= SEAT)
      return;
  pthread_mutex_lock(&pool.lock);
  atomic_fetch_add(&pool.sleeping, 1); /* before the look: the caller looks the other way round */
  while (atomic_load(&pool.room) < SEAT)
    pthread_cond_wait(&pool.wake, &pool.lock);
  atomic_fetch_sub(&pool.sleeping, 1);
  pthread_mutex_unlock(&pool.lock);
}

static void *serve(void *unused) {
  for (;; wait_for_room()) {
    int seat = join();
    if (seat > 0) {
      take_parts(seat);
      leave();
    }
  }
  return unused;
}

/* As many threads as wanted, or as can be had. Signals are left to the threads of the program. */
static void make_threads(int wanted) {
  sigset_t all, before;
  if (pool.threads >= wanted)
    return;
  static bool registered; /* outlives a fork, as the handler does */
  if (!registered && pthread_atfork(NULL, NULL, forget) != 0)
    return;
  registered = true;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  for (pthread_t thread; pool.threads < wanted; pool.threads++) {
    if (pthread_create(&thread, NULL, serve, NULL) != 0)
      break;
    pthread_detach(thread);
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void wait_until_empty(void) {
  for (int i = 0; i < SPINS; i++, pause_briefly())
    if (atomic_load(&pool.room) == 0)
      return;
  pthread_mutex_lock(&pool.lock);
  atomic_store(&pool.waiting, true);
  while (atomic_load(&pool.room) != 0)
    pthread_cond_wait(&pool.empty, &pool.lock);
  atomic_store(&pool.waiting, false);
  pthread_mutex_unlock(&pool.lock);
}

void ck_pool_run(void (*work)(void *job, int part, int seat), void *job, int parts, int threads) {
  int helpers = least(least(threads, parts), MOST_THREADS) - 1;
  if (helpers > 0)
    helpers = least(helpers, processors() - 1);
  if (helpers < 1 || atomic_exchange(&pool.busy, true)) {
    for (int part = 0; part < parts; part++)
      work(job, part, 0);
    return;
  }
  make_threads(helpers);
  pool.work = work;
  pool.job = job;
  pool.parts = parts;
  atomic_store(&pool.next, 0);
  atomic_store(&pool.room, helpers * SEAT);
  if (atomic_load(&pool.sleeping) > 0) {
    pthread_mutex_lock(&pool.lock);
    for (int i = 0; i < helpers; i++)
      pthread_cond_signal(&pool.wake);
    pthread_mutex_unlock(&pool.lock);
  }
  take_parts(0);
  atomic_fetch_and(&pool.room, INSIDE);
  wait_until_empty();
  atomic_store(&pool.busy, false);
}
