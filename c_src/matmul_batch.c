/* A batch of products: one after the other, or shared among threads.
 *
 * Items that are large keep all threads busy, each with a part of the one item. Smaller ones are
 * done whole, each by one thread, which then shares nothing with the others but b when that is
 * broadcast. And where b is, and the rows of all a lie evenly spaced, there is but one product. */
#include "matmul_batch.h"
#include "cookbook.h"
#include "pool.h"

#include <string.h>

enum {
  WORTH = 1 << 20, /* multiply-adds that repay waking a thread, */
  LARGE = 1 << 27, /* that are better done by all threads than by one, */
  ROUNDS = 16      /* in so many parts for each thread, so that they end together */
};

typedef struct {
  int64_t size;
  matrices a, b;
  char *out;
  int64_t count, m, k, n;
  int parts;
} batch;

static inline int64_t least(int64_t x, int64_t y) { return x < y ? x : y; }

static void multiply_item(const batch *x, int64_t i, int threads) {
  const char *a = x->a.data + i * x->a.next, *b = x->b.data + i * x->b.next;
  char *out = x->out + i * x->m * x->n * x->size;
  if (x->size == sizeof(float))
    ck_matmul_f32(a, 0, x->a.row, x->a.col, b, 0, x->b.row, x->b.col, (float *)out, 1, x->m, x->k,
                  x->n, threads);
  else
    ck_matmul_f64(a, 0, x->a.row, x->a.col, b, 0, x->b.row, x->b.col, (double *)out, 1, x->m, x->k,
                  x->n, threads);
}

static void multiply_part(void *job, int part, int seat) {
  const batch *x = job;
  int64_t share = x->count / x->parts, more = x->count % x->parts; /* for the first parts */
  int64_t begin = part * share + least(part, more), end = begin + share + (part < more);
  (void)seat;
  for (int64_t i = begin; i < end; i++)
    multiply_item(x, i, 1);
}

/* Makes the rows of all items the rows of one product, where b is one and strides allow. */
static void join_rows(batch *x) {
  int64_t height;
  if (x->m == 1)
    x->a.row = x->a.next;
  if (x->b.next != 0 || __builtin_mul_overflow(x->m, x->a.row, &height) || height != x->a.next)
    return;
  x->m *= x->count;
  x->count = 1;
}

void ck_multiply_batch(int64_t size, matrices a, matrices b, char *out, int64_t count, int64_t m,
                       int64_t k, int64_t n, int threads) {
  batch x = {size, a, b, out, count, m, k, n, 0};
  double work = (double)m * (double)k * (double)n, all = work * (double)count;
  if (count == 0 || m == 0 || n == 0)
    return;
  if (k == 0) { /* strides may be anything */
    memset(out, 0, (size_t)(count * m * n * size));
    return;
  }
  join_rows(&x);
  if (x.count == 1) {
    multiply_item(&x, 0, threads);
  } else if (threads > 1 && (work > LARGE || (work > WORTH && count < threads))) {
    for (int64_t i = 0; i < count; i++)
      multiply_item(&x, i, threads);
  } else {
    threads = all < (double)threads * WORTH ? (int)(all / WORTH) + 1 : threads;
    x.parts = (int)least(count, threads == 1 ? 1 : ROUNDS * threads);
    ck_pool_run(multiply_part, &x, x.parts, threads);
  }
}
