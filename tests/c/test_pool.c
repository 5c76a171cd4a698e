/* test_pool.c: ck_pool_run runs every part once, with seats of its own, from many threads at once
 * and across forks. */
#define _GNU_SOURCE
#include "common/pool.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PARTS = 57, CALLERS = 8, ROUNDS = 400, THREADS = 1000 };
#if defined(__SANITIZE_THREAD__)
enum { FORKS = 0 }; /* the thread sanitizer cannot start threads in the child of a fork */
#else
enum { FORKS = 10 };
#endif

typedef struct {
  atomic_int done[PARTS], seated[THREADS], wrong;
  int spins;
} job;

static atomic_int failures;

static void work(void *argument, int part, int seat) {
  job *j = argument;
  if (seat < 0 || seat >= THREADS || atomic_exchange(&j->seated[seat], 1))
    atomic_fetch_add(&j->wrong, 1);
  for (volatile int i = 0; i < j->spins; i++)
    ;
  atomic_fetch_add(&j->done[part], 1);
  atomic_store(&j->seated[seat], 0);
}

static void *call(void *argument) {
  for (int round = 0; round < ROUNDS; round++) {
    job j = {.spins = round % 3 * 300};
    int parts = round % (PARTS + 1);
    ck_pool_run(work, &j, parts, round % 5 == 0 ? THREADS : round % 4);
    for (int part = 0; part < PARTS; part++)
      if (j.done[part] != (part < parts))
        atomic_fetch_add(&failures, 1);
    atomic_fetch_add(&failures, j.wrong);
    if (round % 100 == 99)
      usleep(2000); /* long enough for the threads to fall asleep */
  }
  return argument;
}

/* While some parts take long, another thread takes others, if there can be one. */
static void doze(void *argument, int part, int seat) {
  (void)part;
  usleep(10000);
  atomic_store((atomic_int *)argument + (seat > 0), 1);
}

static void expect_help(void) {
  atomic_int served[2] = {0, 0};
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  ck_pool_run(doze, served, 20, 4);
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0 && CPU_COUNT(&allowed) > 1)
    failures += !(served[0] && served[1]);
}

static void call_from_all(void) {
  pthread_t callers[CALLERS];
  for (int i = 0; i < CALLERS; i++)
    pthread_create(&callers[i], NULL, call, NULL);
  for (int i = 0; i < CALLERS; i++)
    pthread_join(callers[i], NULL);
}

/* Fork while other threads are in the pool; the child uses it and forks again, and so does its
 * child. */
static void fork_from(int depth) {
  pthread_t caller;
  pthread_create(&caller, NULL, call, NULL);
  for (int i = 0; i < FORKS; i++) {
    pid_t child = fork();
    int status;
    if (child == 0) {
      alarm(30); /* ends a child that hangs */
      expect_help();
      call(NULL);
      if (depth > 0 && i == 0)
        fork_from(depth - 1);
      _exit(failures != 0);
    }
    if (waitpid(child, &status, 0) != child || status != 0)
      atomic_fetch_add(&failures, 1);
  }
  pthread_join(caller, NULL);
}

int main(void) {
  expect_help();
  call(NULL);
  call_from_all();
  fork_from(2);
  call_from_all();
  printf("pool: %d failures\n", failures);
  return failures != 0;
}
