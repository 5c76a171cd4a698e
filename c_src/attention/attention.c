/* Sliding-window attention, forward and backward, without a matrix of scores: "FlashAttention"
 * (Dao et al., 2022) and "FlashAttention-2" (Dao, 2023), whose softmax is the one of "Online normalizer
 * calculation for softmax" (Milakov and Gimelshein, 2018).
 *
 * Queries and keys are divided into blocks of BLOCK positions. The forward pass computes a block of
 * queries of one head at a time. The backward pass computes a run of key blocks at a time, with their
 * dK and dV and the part of dQ that comes from them. The queries that stand beyond the run get
 * theirs in a halo, which is added to dQ when all runs have been computed:
 *
 *   keys       | run 0     | run 1     |
 *   dQ         | run 0 + 0 | run 1 + 0 |
 *   halos                  | run 0 |             window - 1 positions, or those that are left
 *
 * Neither blocks nor runs depend on the number of threads, so no bit of a result does. */
#include "common/cpu.h"
#include "common/pool.h"
#include "cookbook.h"
#include "gemm/matrix.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

enum {
  BLOCK = 64, /* positions in a block of queries or keys */
  STRIP =
      16, /* queries that are computed at a time where the window or the diagonal cuts a block */
  MOST_SIZE = 256,
  CACHE_LINE = 64,
  RUN_WINDOWS = 2,      /* the least length of a run, in windows, which bounds the halos */
  RUNS = 64,            /* the number of runs of a call, if they are not shorter than that */
  THREAD_WORK = 1 << 25 /* multiply-adds times bytes that repay waking another thread */
};

typedef struct {
  ck_attention_gradients x; /* k and v begin at the first key that a query sees */
  void *out, *lse;
  int64_t batch, heads, kv_heads, group;      /* heads of q for one of k */
  int64_t queries, keys, size, window, shift; /* query i stands at position i + shift */
  int64_t hidden;                             /* the number of keys that no query sees */
  int64_t query_blocks, key_blocks, pitch;    /* elements in a row of a copy */
  int64_t run, runs, halo;   /* the keys in a run, the runs of a head, the positions of a halo */
  double scale, cap, factor; /* of the keys in a product of scores */
  int32_t bytes, threads;
  char *memory, *packed, *halos, *deltas, *seats;
  double *sinks;
  int64_t seat_bytes;
} pass;

/* The positions of a block of queries. */
typedef struct {
  int64_t begin, end;
} span;

/* Queries `row` to `row + rows` of a block and the keys `begin` to `end` of a block of which they may
 * see some. Row r sees those from `first + r` on, and `masked` if not each sees all. */
typedef struct {
  int64_t row, rows, begin, end, first, count;
  bool masked;
} strip;

static inline int64_t max(int64_t x, int64_t y) { return x > y ? x : y; }
static inline int64_t round_up(int64_t n, int64_t unit) { return ceil_div(n, unit) * unit; }

/* Return the rows of head h of item b of x, from row i on. */
static inline matrix rows_of(const pass *p, const ck_attention_array *x, int64_t b, int64_t h,
                             int64_t i) {
  const char *data = x->data;
  return (matrix){data + (b * x->batch + h * x->head + i * x->position) * p->bytes,
                  x->position * p->bytes, x->dim * p->bytes};
}

static inline void *halo_of(const pass *p, int64_t head, int64_t run) {
  return p->halos + (head * (p->runs - 1) + run) * p->halo * p->size * p->bytes;
}

/* Return the number of the block of position x, which may be negative. */
static inline int64_t block_of(int64_t x) { return x < 0 ? -ceil_div(-x, BLOCK) : x / BLOCK; }

static inline span block_of_queries(const pass *p, int64_t index) {
  int64_t begin = (block_of(p->shift) + index) * BLOCK;
  return (span){max(begin, p->shift), min(begin + BLOCK, p->keys)};
}

/* Return the state before the first strip of a block of queries and the block of keys at `key`. */
static inline strip no_strip(const pass *p, span queries, int64_t key) {
  return (strip){.first = queries.begin - p->window + 1 - key,
                 .count = queries.end - queries.begin};
}

/* Advance to the next strip with keys that are seen. Return false if there is none. Keys are counted
 * in whole lines of `line` elements. */
static inline bool next_strip(const pass *p, strip *s, int64_t line) {
  bool whole = s->first + s->count - 1 <= 0 && s->first + p->window >= BLOCK;
  for (s->row += s->rows; s->row < s->count; s->row += s->rows) {
    s->rows = whole ? s->count : min(STRIP, s->count - s->row);
    int64_t first = s->first + s->row, last = first + s->rows - 1;
    s->begin = max(first, 0) / line * line;
    s->end = min(round_up(max(last + p->window, 0), line), BLOCK);
    s->masked = last > s->begin || first + p->window < s->end;
    if (s->begin < s->end)
      return true;
  }
  return false;
}

#define KERNELS "attention/blocks.h"
#include "gemm/every_isa.h"

typedef void (*kernel)(void *job, int part, int seat);
#define KERNEL(f) {EVERY_ISA(f, float), EVERY_ISA(f, double)}
static const kernel pack_keys[2][3] = KERNEL(pack_keys), forward[2][3] = KERNEL(forward),
                    deltas[2][3] = KERNEL(deltas), backward[2][3] = KERNEL(backward),
                    add_halos[2][3] = KERNEL(add_halos);

static void run(const kernel kernels[2][3], pass *p, int64_t parts) {
  ck_pool_run(kernels[p->bytes == CK_FLOAT64][ck_isa_level()], p, (int)parts, p->threads);
}

static int refuse(ck_error *error, ck_code code, int64_t field, int64_t actual) {
  *error = (ck_error){code, 0, 0, field, 0, actual};
  return code;
}

static int check(const ck_attention *a, ck_error *error) {
  const int64_t sizes[] = {a->batch, a->heads, a->kv_heads, a->queries, a->keys};
  if (a->dtype != CK_FLOAT32 && a->dtype != CK_FLOAT64)
    return refuse(error, CK_DTYPE, 0, a->dtype);
  if (a->threads < 1)
    return refuse(error, CK_THREADS, 1, a->threads);
  for (int i = 0; i < 5; i++)
    if (sizes[i] < 0)
      return refuse(error, CK_ARGUMENT, 2 + i, sizes[i]);
  if (a->kv_heads == 0 ? a->heads > 0 : a->heads % a->kv_heads != 0)
    return refuse(error, CK_ARGUMENT, 4, a->kv_heads);
  if (a->head_size < 1 || a->head_size > MOST_SIZE)
    return refuse(error, CK_ARGUMENT, 7, a->head_size);
  if (a->window < 1)
    return refuse(error, CK_ARGUMENT, 8, a->window);
  if (!isfinite(a->scale))
    return refuse(error, CK_ARGUMENT, 9, 0);
  if (!isfinite(a->softcap) || a->softcap < 0)
    return refuse(error, CK_ARGUMENT, 10, 0);
  return CK_OK;
}

/* Describe a call whose arrays are in x. Return false if it is too large for any memory. */
static bool plan(pass *p, const ck_attention *a, const ck_attention_gradients *x) {
  double rows = (double)a->batch * (double)a->heads * ((double)a->queries + BLOCK);
  double columns = (double)a->batch * (double)a->kv_heads * (double)a->keys;
  int64_t window = min(a->window, max(a->keys, 1)), size = a->head_size,
          most = min(a->threads, CK_MAX_THREADS);
  double work = rows * (double)window * (double)(a->head_size * a->dtype) / THREAD_WORK + 1;
  *p = (pass){.x = *x, .batch = a->batch, .heads = a->heads, .kv_heads = a->kv_heads};
  if (!(rows < 0x1p36 && columns < 0x1p36))
    return false;
  p->group = a->heads / a->kv_heads;
  p->queries = a->queries;
  p->keys = min(a->keys, a->queries + window - 1);
  p->hidden = a->keys - p->keys;
  p->window = window;
  p->shift = p->keys - p->queries;
  p->size = size;
  p->pitch = round_up(size, CACHE_LINE / a->dtype);
  p->bytes = a->dtype;
  p->key_blocks = ceil_div(p->keys, BLOCK);
  p->query_blocks = p->queries > 0 ? p->key_blocks - block_of(p->shift) : 0;
  int64_t kv = p->batch * p->kv_heads;
  p->run = max(ceil_div(RUN_WINDOWS * window, BLOCK), ceil_div(p->key_blocks * kv, RUNS)) * BLOCK;
  p->runs = ceil_div(p->keys, p->run);
  p->halo = window - 1;
  p->scale = a->scale;
  p->cap = a->softcap;
  p->factor = p->cap > 0 ? a->scale / p->cap : a->scale;
  p->threads = (int32_t)(work < (double)most ? (int64_t)work : most);
  char *k = (char *)x->k.data, *v = (char *)x->v.data;
  p->x.k.data = k + p->hidden * x->k.position * p->bytes;
  p->x.v.data = v + p->hidden * x->v.position * p->bytes;
  return true;
}

/* Allocate `shared` bytes at p->memory and `elements` for each seat. */
static int reserve(pass *p, int64_t shared, int64_t elements, ck_error *error) {
  p->seat_bytes = round_up(elements * p->bytes, CACHE_LINE);
  shared = round_up(shared, CACHE_LINE);
  p->memory = aligned_alloc(CACHE_LINE, (size_t)(shared + p->threads * p->seat_bytes));
  if (!p->memory)
    return refuse(error, CK_MEMORY, 0, 0);
  p->seats = p->memory + shared;
  return CK_OK;
}

int ck_attention_forward(const ck_attention *a, const ck_attention_array *q,
                         const ck_attention_array *k, const ck_attention_array *v, const void *sink,
                         void *out, void *lse, ck_error *error) {
  ck_attention_gradients x = {.q = *q, .k = *k, .v = *v, .sink = sink};
  pass p;
  int code = check(a, error);
  if (code != CK_OK || a->batch == 0 || a->heads == 0 || a->queries == 0)
    return code;
  if (!plan(&p, a, &x))
    return refuse(error, CK_MEMORY, 0, 0);
  p.out = out;
  p.lse = lse;
  int64_t blocks = p.batch * p.kv_heads * p.key_blocks;
  code = reserve(&p, blocks * BLOCK * p.size * p.bytes, BLOCK * (BLOCK + p.pitch), error);
  if (code != CK_OK)
    return code;
  p.packed = p.memory;
  run(pack_keys, &p, blocks);
  run(forward, &p, p.batch * p.heads * p.query_blocks);
  free(p.memory);
  return CK_OK;
}

/* Fill with zeros the gradients of keys that no query sees, or of all if there is no query. */
static void clear(const ck_attention *a, const ck_attention_gradients *x, int64_t hidden) {
  int64_t row = a->head_size * a->dtype;
  for (int64_t i = 0; i < a->batch * a->kv_heads && hidden > 0; i++) {
    memset((char *)x->dk + i * a->keys * row, 0, (size_t)(hidden * row));
    memset((char *)x->dv + i * a->keys * row, 0, (size_t)(hidden * row));
  }
  if (a->keys == 0 && a->batch > 0)
    memset(x->dq, 0, (size_t)(a->batch * a->heads * a->queries * row));
  if (x->dsink)
    memset(x->dsink, 0, (size_t)(a->heads * a->dtype));
}

int ck_attention_backward(const ck_attention *a, const ck_attention_gradients *x, ck_error *error) {
  pass p;
  int code = check(a, error);
  if (code != CK_OK)
    return code;
  if (a->batch == 0 || a->heads == 0 || a->queries == 0) {
    clear(a, x, a->keys);
    return CK_OK;
  }
  if (!plan(&p, a, x))
    return refuse(error, CK_MEMORY, 0, 0);
  int64_t heads = p.batch * p.heads, rows = heads * p.queries;
  int64_t halos = heads * max(p.runs - 1, 0) * p.halo * p.size;
  int64_t delta_bytes = round_up(rows * p.bytes, CACHE_LINE);
  int64_t halo_bytes = round_up(halos * p.bytes, CACHE_LINE);
  code = reserve(&p, delta_bytes + halo_bytes + heads * (int64_t)sizeof(double),
                 2 * BLOCK * (BLOCK + p.size) + 3 * BLOCK * p.pitch, error);
  if (code != CK_OK)
    return code;
  p.deltas = p.memory;
  p.halos = p.deltas + delta_bytes;
  p.sinks = (double *)(p.halos + halo_bytes);
  clear(a, x, p.hidden);
  run(deltas, &p, heads);
  run(backward, &p, p.batch * p.kv_heads * p.runs);
  if (p.runs > 1)
    run(add_halos, &p, heads);
  for (int64_t h = 0; h < p.heads && x->dsink && x->sink; h++) {
    double sum = 0;
    for (int64_t b = 0; b < p.batch; b++)
      sum += p.sinks[b * p.heads + h];
    if (a->dtype == CK_FLOAT32)
      ((float *)x->dsink)[h] = (float)sum;
    else
      ((double *)x->dsink)[h] = sum;
  }
  free(p.memory);
  return CK_OK;
}
