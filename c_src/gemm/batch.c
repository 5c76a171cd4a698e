/* Products of batches of matrices, divided among threads.
 *
 * A thread computes whole items and shares nothing but a broadcast b with the others. When all
 * threads have had the same number of items, all threads share the remaining large ones. If b is
 * broadcast and the rows of all items of a are evenly spaced, the batch is computed as one
 * product. */
#include "batch.h"
#include "common/pool.h"
#include "cookbook.h"

#include <string.h>

/* Work is measured in multiply-adds times the bytes of an element, to which time is proportional. */
enum {
  THREAD_WORK = 1 << 25, /* about 70 us: repays a second thread even if it has to be woken */
  ITEM_WORK = 1 << 14,   /* the fixed cost of an item, more than half of it up to 16 x 16 */
  PARTS_PER_THREAD = 16  /* so that threads end together even if one begins late */
};

typedef struct {
  int64_t size;
  matrices a, b;
  char *out;
  int64_t count, m, k, n;
  int parts;
} batch;

static inline int64_t min(int64_t x, int64_t y) { return x < y ? x : y; }

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
  int64_t share = x->count / x->parts,
          more = x->count % x->parts; /* one more item in each of the first parts */
  int64_t begin = part * share + min(part, more), end = begin + share + (part < more);
  (void)seat;
  for (int64_t i = begin; i < end; i++)
    multiply_item(x, i, 1);
}

/* Join the rows of all items into one product if b is broadcast and the strides allow it. */
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
  if (k == 0) { /* its strides may have any value */
    memset(out, 0, (size_t)(count * m * n * size));
    return;
  }
  join_rows(&x);
  double item = (double)x.m * (double)k * (double)n * (double)size + ITEM_WORK;
  double useful = item * (double)x.count / THREAD_WORK + 1;
  threads = useful < threads ? (int)useful : threads;
  count = x.count;
  int64_t left = item < THREAD_WORK ? 0 : count % threads;
  x.count -= left;
  x.parts = (int)min(x.count, threads == 1 ? 1 : PARTS_PER_THREAD * threads);
  ck_pool_run(multiply_part, &x, x.parts, threads);
  for (int64_t i = x.count; i < count; i++)
    multiply_item(&x, i, threads);
}
