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

/* The pool of threads that serves one call at a time.
 *
 * `room` has two counts. The upper half is the number of threads that may still join the current
 * call. The lower half is the number of threads that have joined and not yet left:
 *
 *     call opens, 3 helpers     one joins        another joins      call closes     both leave
 *     room  3 | 0               2 | 1            1 | 2              0 | 2           0 | 0
 *
 * The caller closes the call by clearing the upper half. From then on no thread joins, and when
 * `room` is 0 no thread reads the job any more. */
enum { SEAT = 1 << 16, INSIDE = SEAT - 1 };

typedef struct {
  atomic_bool busy; /* true while the pool serves a call */
  atomic_int room;
  atomic_int next; /* the first part that no thread has begun */
  void (*work)(void *, int, int);
  void *job;
  int parts;

  int threads; /* started so far; changed only by the caller that has set `busy` */
  pthread_mutex_t lock;
  pthread_cond_t wake, empty; /* signalled when there may be room; when room is 0 */
  atomic_int sleeping;
  atomic_bool waiting; /* the caller sleeps until the room is empty */
} ck_pool;

#define NEW_POOL                                                                                   \
  {.lock = PTHREAD_MUTEX_INITIALIZER,                                                              \
   .wake = PTHREAD_COND_INITIALIZER,                                                               \
   .empty = PTHREAD_COND_INITIALIZER}

static ck_pool pool = NEW_POOL;

/* Reset the pool in the child of a fork, where only the thread that forked has survived. */
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
  cpu_set_t allowed; /* the call fails if there are more than 1024 processors */
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0)
    return CPU_COUNT(&allowed);
#endif
  return (int)sysconf(_SC_NPROCESSORS_ONLN);
}

static void take_parts(int seat) {
  for (int part; (part = atomic_fetch_add(&pool.next, 1)) < pool.parts;)
    pool.work(pool.job, part, seat);
}

/* Join the current call. Return a seat that no other thread has during this call, or 0, the
 * caller's seat, if there is no room. */
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
  atomic_fetch_add(&pool.sleeping,
                   1); /* before `room` is read: the caller writes `room`, then reads `sleeping` */
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

/* Start threads until there are `wanted`, or as many as the system allows. They block all signals,
 * which go to the program's own threads. */
static void make_threads(int wanted) {
  sigset_t all, before;
  if (pool.threads >= wanted)
    return;
  static bool registered; /* stays true in a forked child, where the handler stays registered too */
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
