/* The functions of pool.h. A checker counts the pools, and may hold a caller up. */
#include "pool.h"
#include "meeting.h"
#include <stdlib.h>

struct pool {
  pthread_t thread;
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  const double *values; /* the work, NULL if there is none */
  size_t n;
  double sum;
  int ends, callers;
};

static int made, disturbed;

int pools_made(void) { return made; }

/* Return the number of calls that came while another one was in the same pool. */
int pools_disturbed(void) { return disturbed; }

static void *work(void *argument) {
  pool *pool = argument;
  pthread_mutex_lock(&pool->mutex);
  while (!pool->ends) {
    if (pool->values) {
      pool->sum = 0;
      for (size_t i = 0; i < pool->n; i++)
        pool->sum += pool->values[i] * pool->values[i];
      pool->values = NULL;
      pthread_cond_broadcast(&pool->changed);
    } else {
      pthread_cond_wait(&pool->changed, &pool->mutex);
    }
  }
  pthread_mutex_unlock(&pool->mutex);
  return NULL;
}

pool *pool_new(void) {
  pool *new = calloc(1, sizeof *new);
  pthread_mutex_init(&new->mutex, NULL);
  pthread_cond_init(&new->changed, NULL);
  made++;
  if (pthread_create(&new->thread, NULL, work, new) == 0)
    return new;
  free(new);
  return NULL;
}

double pool_sum(pool *pool, const double *values, size_t n) {
  static const double nothing[1];
  disturbed += __atomic_fetch_add(&pool->callers, 1, __ATOMIC_SEQ_CST) > 0;
  if (meeting_expected)
    meeting_join();
  pthread_mutex_lock(&pool->mutex);
  pool->values = n ? values : nothing;
  pool->n = n;
  pthread_cond_broadcast(&pool->changed);
  while (pool->values)
    pthread_cond_wait(&pool->changed, &pool->mutex);
  double sum = pool->sum;
  pthread_mutex_unlock(&pool->mutex);
  __atomic_fetch_sub(&pool->callers, 1, __ATOMIC_SEQ_CST);
  return sum;
}

void pool_free(pool *pool) {
  pthread_mutex_lock(&pool->mutex);
  pool->ends = 1;
  pthread_cond_broadcast(&pool->changed);
  pthread_mutex_unlock(&pool->mutex);
  pthread_join(pool->thread, NULL);
  free(pool);
}
