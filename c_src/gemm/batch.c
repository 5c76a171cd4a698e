/* A batch of products, whose items threads share.
 *
 * Each item is done whole, by one thread, which then shares nothing with the others but b when that
 * is broadcast. Only large items that are left when all threads have had as many are cut, so that
 * all work on each. And where b is broadcast, and the rows of all a lie evenly spaced, there is but
 * one product. */
#include "batch.h"
#include "common/pool.h"
#include "cookbook.h"

#include <string.h>

/* Work is measured in multiply-adds times the bytes of an element, for so long they take. */
enum {
  WORTH = 1 << 25, /* some 70 us of it, which repay a second thread even if that has to be woken */
  ITEM = 1 << 14,  /* what an item costs besides, which is most of it up to 16 x 16 */
  ROUNDS = 16      /* parts for each thread, so that all end together though one begins late */
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
  if (count == 0 || m == 0 || n == 0)
    return;
  if (k == 0) { /* strides may be anything */
    memset(out, 0, (size_t)(count * m * n * size));
    return;
  }
  join_rows(&x);
  double item = (double)x.m * (double)k * (double)n * (double)size + ITEM;
  double useful = item * (double)x.count / WORTH + 1;
  threads = useful < threads ? (int)useful : threads;
  count = x.count;
  int64_t left = item < WORTH ? 0 : count % threads;
  x.count -= left;
  x.parts = (int)least(x.count, threads == 1 ? 1 : ROUNDS * threads);
  ck_pool_run(multiply_part, &x, x.parts, threads);
  for (int64_t i = x.count; i < count; i++)
    multiply_item(&x, i, threads);
}
