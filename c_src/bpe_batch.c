/* bpe_batch.c: many texts in one call, on as many threads as are worth their start.
 *
 * A text has never more ids than bytes. So where the ids have room for all bytes, each thread
 * writes from where its first text's bytes begin, and the gaps are closed at the end. The threads
 * are the pool's (pool.h).
 */
#include "bpe.h"
#include "pool.h"

enum { WORTH_A_THREAD = 1 << 15 /* bytes of text */ };

typedef struct {
  const ck_bpe *model;
  bpe_finder refused, allowed;
  const uint8_t *text;
  const int64_t *offsets;
  int64_t *id_offsets;
  ck_bpe_pool *pool;
} batch;

/* The texts [first, last) of a batch, for one thread. */
typedef struct {
  const batch *batch;
  size_t first, last, bytes;
  uint32_t *ids;
  size_t capacity, n_ids;
  int code;
  ck_error error;
} share;

static void encode_share(void *shares, int part, int seat) {
  share *s = (share *)shares + part;
  (void)seat; /* a share has all it needs for itself */
  const batch *b = s->batch;
  bpe_encoder encoder = {b->model,    &b->refused, &b->allowed,           s->ids,
                         s->capacity, 0,           bpe_pool_take(b->pool)};
  for (size_t i = s->first; i < s->last && s->code == CK_OK; i++) {
    size_t size = (size_t)(b->offsets[i + 1] - b->offsets[i]);
    s->code = bpe_encode_text(&encoder, b->text + b->offsets[i], size, (int64_t)i, &s->error);
    b->id_offsets[i + 1] = (int64_t)encoder.n;
  }
  bpe_pool_give(b->pool, encoder.scratch);
  s->n_ids = encoder.n;
}

/* Cuts n_texts into n shares of about as many bytes each. */
static void divide(share *shares, size_t n, const int64_t *offsets, size_t n_texts) {
  int64_t fair = (offsets[n_texts] - offsets[0]) / (int64_t)n;
  for (size_t k = 0, i = 0; k < n; k++) {
    int64_t until = offsets[0] + fair * (int64_t)(k + 1);
    shares[k].first = i;
    while (i < n_texts && (k + 1 == n || offsets[i] < until))
      i++;
    shares[k].last = i;
    shares[k].bytes = (size_t)(offsets[i] - offsets[shares[k].first]);
  }
}

/* Closes the gaps between the shares' ids. The first error is that of the lowest text. */
static int gather(share *shares, size_t n, uint32_t *ids, size_t capacity, int64_t *id_offsets,
                  ck_error *error) {
  size_t total = 0;
  for (size_t k = 0; k < n; k++) {
    share *s = &shares[k];
    if (s->code != CK_OK) {
      *error = s->error;
      return s->code;
    }
    if (ids && k > 0)
      memmove(ids + total, s->ids, s->n_ids * sizeof *ids);
    for (size_t i = s->first; k > 0 && i < s->last; i++)
      id_offsets[i + 1] += (int64_t)total;
    total += s->n_ids;
  }
  if (ids && total > capacity)
    return bpe_fail(error, CK_CAPACITY, 0, 0, -1, total, capacity);
  return CK_OK;
}

static size_t at_most(size_t a, size_t b) { return a < b ? a : b; }

int ck_bpe_encode_batch(const ck_bpe *model, const uint8_t *text, const int64_t *offsets, size_t n,
                        const uint8_t *specials, uint32_t *ids, size_t capacity,
                        int64_t *id_offsets, ck_bpe_pool *pool, int threads, ck_error *error) {
  for (size_t i = 0; i < n; i++)
    if (offsets[i] < 0 || offsets[i + 1] < offsets[i])
      return bpe_fail(error, CK_ARGUMENT, 0, 0, -1, 0, 0);
  id_offsets[0] = 0;
  if (n == 0)
    return CK_OK;

  size_t bytes = (size_t)(offsets[n] - offsets[0]);
  size_t n_shares = at_most(threads < 1 ? 1 : (size_t)threads, CK_MAX_THREADS);
  n_shares = at_most(n_shares, bytes / WORTH_A_THREAD + 1);
  if (ids && capacity < bytes)
    n_shares = 1;

  batch b = {model,
             bpe_finder_make(model, specials, 2),
             bpe_finder_make(model, specials, 1),
             text,
             offsets,
             id_offsets,
             pool};
  share shares[CK_MAX_THREADS];
  memset(shares, 0, n_shares * sizeof *shares);
  divide(shares, n_shares, offsets, n);
  for (size_t k = 0; k < n_shares; k++) {
    share *s = &shares[k];
    s->batch = &b;
    s->ids = ids ? ids + (offsets[s->first] - offsets[0]) : NULL;
    s->capacity = ids ? (n_shares == 1 ? capacity : s->bytes) : 0;
  }
  ck_pool_run(encode_share, shares, (int)n_shares, (int)n_shares);
  return gather(shares, n_shares, ids, capacity, id_offsets, error);
}
