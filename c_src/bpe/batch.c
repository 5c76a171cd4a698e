/* batch.c: encode many texts in one call, on as many threads as are worth starting.
 *
 * A thread takes the next part, which is a run of texts. The place of a part's ids is known when
 * all texts before it are done; until then they wait in the thread's own memory. A thread that is
 * done early writes them to `ids` at the byte offset of its part, and the thread that completes the
 * earlier texts moves them. A text never has more ids than bytes, so that no other thread writes
 * there if `ids` has room for all bytes.
 */
#include "bpe.h"
#include "common/pool.h"
#include "encode.h"

#include <pthread.h>
#include <time.h>

enum { PART = 1 << 16, BYTES_PER_THREAD = 1 << 15 /* bytes of text */ };

typedef struct {
  const bpe_model *model;
  bpe_finder refused, allowed;
  const uint8_t *const *texts;
  const size_t *sizes;
  size_t n_texts;
  uint32_t *ids;
  int64_t *id_offsets;
  bpe_pool *pool;

  pthread_mutex_t lock; /* protects the fields below, and the ids of parts that wait in `ids` */
  size_t begun, begun_bytes;
  int active;                         /* parts that have begun but not ended */
  size_t placed, placed_bytes, n_ids; /* texts whose ids are in their final place */
  size_t failed;                      /* the first text of the part in which `error` occurred */
  ck_error error;
} batch;

/* Texts [first, last), and the bytes before them. */
typedef struct {
  size_t first, last, before, bytes;
} part;

static const int64_t UNDONE = -1; /* in id_offsets, for the last text of a part */

static part part_from(const batch *b, size_t first, size_t before) {
  part p = {first, first, before, 0};
  while (p.last < b->n_texts && (p.bytes == 0 || p.bytes + b->sizes[p.last] <= PART))
    p.bytes += b->sizes[p.last++];
  return p;
}

/* Encode texts one after the other. The caller sets where the last one's ids end. */
static int encode_texts(const batch *b, size_t first, size_t last, bpe_encoder *encoder,
                        ck_error *error) {
  int64_t ends[BPE_FEW_TEXTS];
  for (size_t i = first, n; i < last; i += n) {
    if (bpe_stopped(b->model))
      return bpe_fail(error, CK_INTERRUPTED, 0, 0, -1, 0, 0);
    n = bpe_encode_few(encoder, b->texts + i, b->sizes + i, last - i, ends);
    if (n == 0) {
      int code = bpe_encode_text(encoder, b->texts[i], b->sizes[i], (int64_t)i, error);
      if (code != CK_OK)
        return code;
      ends[0] = (int64_t)encoder->n;
      n = 1;
    }
    for (size_t k = 0; k < n && i + k + 1 < last; k++)
      b->id_offsets[i + k + 1] = ends[k];
  }
  return CK_OK;
}

/* ---- parts, in any order ---- */

static int begin(batch *b, part *p) {
  pthread_mutex_lock(&b->lock);
  *p = part_from(b, b->begun, b->begun_bytes);
  int any = p->first < p->last && b->error.code == CK_OK;
  if (any) {
    b->active++;
    b->begun = p->last;
    b->begun_bytes += p->bytes;
    b->id_offsets[p->last] = UNDONE;
  }
  pthread_mutex_unlock(&b->lock);
  return any;
}

/* Reserve the place of the next part. */
static size_t place(batch *b, const part *p, size_t n) {
  size_t at = b->n_ids;
  b->n_ids += n;
  b->placed = p->last;
  b->placed_bytes += p->bytes;
  return at;
}

static void shift_offsets(const batch *b, const part *p, size_t at, size_t n) {
  for (size_t i = p->first + 1; i < p->last; i++)
    b->id_offsets[i] += (int64_t)at;
  b->id_offsets[p->last] = (int64_t)(at + n);
}

static void place_waiting(batch *b, const part *p, size_t n) {
  size_t at = place(b, p, n);
  if (b->ids)
    memmove(b->ids + at, b->ids + p->before, n * sizeof *b->ids);
  shift_offsets(b, p, at, n);
}

/* Place the ids of a part, which are in `ids` or in the thread's own memory. */
static void finish(batch *b, const part *p, const uint32_t *ids, size_t n) {
  uint32_t *left = b->ids ? b->ids + p->before : NULL;
  pthread_mutex_lock(&b->lock);
  b->active--;
  if (b->placed != p->first && ids != left) {
    pthread_mutex_unlock(&b->lock);
    ids = memcpy(left, ids, n * sizeof *ids);
    pthread_mutex_lock(&b->lock);
  }
  size_t at = 0;
  int mine = b->placed == p->first && ids != left;
  if (mine)
    at = place(b, p, n); /* no other thread writes there */
  else
    b->id_offsets[p->last] = (int64_t)n;
  while (b->placed < b->begun) {
    part next = part_from(b, b->placed, b->placed_bytes);
    if (b->id_offsets[next.last] == UNDONE)
      break;
    place_waiting(b, &next, (size_t)b->id_offsets[next.last]);
  }
  pthread_mutex_unlock(&b->lock);
  if (mine) {
    memcpy(b->ids + at, ids, n * sizeof *ids);
    shift_offsets(b, p, at, n);
  }
}

static void fail(batch *b, const part *p, const ck_error *error) {
  pthread_mutex_lock(&b->lock);
  b->active--;
  if (b->error.code == CK_OK || p->first < b->failed) {
    b->failed = p->first;
    b->error = *error;
  }
  pthread_mutex_unlock(&b->lock);
}

/* The first thread, which may call `ask`, waits for the other threads' parts. */
static void ask_meanwhile(batch *b) {
  const struct timespec millisecond = {0, 1000000};
  for (int active = 1; active > 0 && !bpe_stopped(b->model);) {
    pthread_mutex_lock(&b->lock);
    active = b->active;
    pthread_mutex_unlock(&b->lock);
    if (active > 0)
      nanosleep(&millisecond, NULL);
  }
}

static void encode_parts(void *job, int unused, int seat) {
  batch *b = job;
  (void)unused;
  bpe_scratch *scratch = bpe_pool_take(b->pool);
  for (part p; !bpe_stopped(b->model) && begin(b, &p);) {
    uint32_t *ids = b->ids ? b->ids + p.before : NULL;
    if (ids && scratch && p.bytes <= BPE_WAITING)
      ids = scratch->waiting;
    bpe_encoder encoder = {b->model, &b->refused, &b->allowed, ids, ids ? p.bytes : 0, 0, scratch};
    ck_error error;
    if (encode_texts(b, p.first, p.last, &encoder, &error) == CK_OK)
      finish(b, &p, ids, encoder.n);
    else
      fail(b, &p, &error);
  }
  bpe_pool_put(b->pool, scratch);
  if (seat == 0 && b->model->interrupt)
    ask_meanwhile(b);
}

/* ---- the call ---- */

static void encode_in_order(batch *b, size_t capacity) {
  bpe_encoder encoder = {.model = b->model,
                         .refused = &b->refused,
                         .allowed = &b->allowed,
                         .ids = b->ids,
                         .capacity = b->ids ? capacity : 0,
                         .scratch = bpe_pool_take(b->pool)};
  encode_texts(b, 0, b->n_texts, &encoder, &b->error);
  bpe_pool_put(b->pool, encoder.scratch);
  b->id_offsets[b->n_texts] = (int64_t)(b->n_ids = encoder.n);
}

int ck_bpe_encode_batch(ck_bpe *opened, const ck_texts *texts, const uint8_t *specials,
                        ck_buffer *ids, int64_t *id_offsets, int threads, ck_interrupt *interrupt,
                        ck_error *error) {
  bpe_model own;
  const bpe_model *model = bpe_begin(opened, interrupt, &own);
  size_t bytes = 0;
  for (size_t i = 0; i < texts->n; i++)
    bytes += texts->sizes[i];
  size_t by_size = bytes / BYTES_PER_THREAD + 1, most = threads < 1 ? 1 : (size_t)threads;
  most = most < CK_MAX_THREADS ? most : CK_MAX_THREADS;
  most = most < by_size ? most : by_size;
  if (ids->data && ids->capacity < bytes)
    most = 1;

  batch b = {.model = model,
             .refused = bpe_finder_make(model, specials, 2),
             .allowed = bpe_finder_make(model, specials, 1),
             .texts = texts->data,
             .sizes = texts->sizes,
             .n_texts = texts->n,
             .ids = ids->data,
             .id_offsets = id_offsets,
             .pool = &opened->pool,
             .lock = PTHREAD_MUTEX_INITIALIZER};
  id_offsets[0] = 0;
  if (most > 1)
    ck_pool_run(encode_parts, &b, (int)most, (int)most);
  else
    encode_in_order(&b, ids->capacity);
  if (b.error.code != CK_OK)
    *error = b.error;
  return bpe_finish(model, (int)b.error.code, ids, b.n_ids, error);
}
