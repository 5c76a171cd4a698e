/* Attention in a sliding window, forward and backward, on blocks of positions.
 *
 * A part of the forward pass is a block of queries of one head. A part of the backward pass is a run of
 * key blocks of one head of k: it computes their dK and dV, and adds to the dQ of the queries that see
 * them, which stand in the run or the next one. So the even runs are computed first, then the odd ones.
 * Blocks and runs do not depend on the number of threads, so no bit of a result does. */
#include "common/cpu.h"
#include "common/pool.h"
#include "cookbook.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

enum {
  BLOCK = 64, /* positions in a block of queries or keys */
  STRIP = 8,  /* queries computed at a time where the window cuts a block of keys */
  CACHE_LINE = 64,
  MOST_SIZE = 256,                            /* of a head */
  SEAT = BLOCK * (2 * BLOCK + 5 * MOST_SIZE), /* elements of a thread's own memory */
  RUN_WINDOWS = 2,      /* shorter runs cost cache misses, longer ones leave threads idle */
  THREAD_WORK = 1 << 25 /* multiply-adds times bytes that repay waking another thread */
};

typedef struct {
  ck_attention a;           /* with the keys that queries see, and a window of no more */
  ck_attention_gradients x; /* k and v begin at the first of those keys */
  int64_t hidden;           /* the number of keys before them */
  int64_t group;            /* heads of q for one of k */
  int64_t shift;            /* query i stands at position i + shift */
  int64_t query_blocks, first_block, key_blocks; /* in blocks of positions */
  int64_t run, runs, odd; /* the keys in a run; 1 while odd runs are computed */
  double factor;          /* of q . k in a score, or in the tangent of a capped one */
  void *memory, *seats;   /* `memory` begins with the transposed keys, or delta */
} pass;

static inline int64_t max(int64_t x, int64_t y) { return x > y ? x : y; }

#define KERNELS "attention/blocks.h"
#include "gemm/every_isa.h"

typedef void (*kernel)(void *job, int part, int seat);
#define KERNEL(f) {EVERY_ISA(f, float), EVERY_ISA(f, double)}
static const kernel pack_keys[2][3] = KERNEL(pack_keys), forward[2][3] = KERNEL(forward),
                    prepare[2][3] = KERNEL(prepare), backward[2][3] = KERNEL(backward);

static void run(const kernel kernels[2][3], pass *p, int64_t parts) {
  ck_pool_run(kernels[p->a.dtype == CK_FLOAT64][ck_isa_level()], p, (int)parts, p->a.threads);
}

static int refuse(ck_error *error, ck_code code, int64_t field, int64_t actual) {
  *error = (ck_error){code, 0, 0, field, 0, actual};
  return code;
}

static int check(const ck_attention *a, ck_error *error) {
  const int64_t members[] = {a->dtype,    a->threads, a->batch, a->heads,
                             a->kv_heads, a->queries, a->keys,  a->head_size,
                             a->window,   0,          0};
  bool type = a->dtype == CK_FLOAT32 || a->dtype == CK_FLOAT64;
  bool both = a->heads > 0 && a->kv_heads > 0, none = a->heads == 0 && a->kv_heads == 0;
  bool divides = both ? a->heads % a->kv_heads == 0 : none;
  bool sized = a->head_size >= 1 && a->head_size <= MOST_SIZE;
  bool capped = isfinite(a->softcap) && a->softcap >= 0;
  const bool right[] = {type,           a->threads >= 1,    a->batch >= 0, a->heads >= 0,
                        divides,        a->queries >= 0,    a->keys >= 0,  sized,
                        a->window >= 1, isfinite(a->scale), capped};
  for (int i = 0; i < 11; i++)
    if (!right[i])
      return refuse(error, CK_ARGUMENT, i, members[i]);
  double heads = (double)max(a->batch, 1) * (double)max(a->heads, 1);
  double rows = heads * ((double)a->queries + (double)a->keys + BLOCK);
  return rows < 0x1p36 ? CK_OK : refuse(error, CK_MEMORY, 0, 0);
}

/* Plan a call, and allocate `memory` for its copies of keys, or for delta, and SEAT for each thread. */
static int plan(pass *p, const ck_attention *a, const ck_attention_gradients *x, bool backward,
                ck_error *error) {
  int code = check(a, error);
  if (code != CK_OK)
    return code;
  int64_t window = min(a->window, max(a->keys, 1)), keys = min(a->keys, a->queries + window - 1);
  *p = (pass){.a = *a, .x = *x, .group = a->heads / max(a->kv_heads, 1)};
  p->a.window = window;
  p->a.keys = keys;
  p->hidden = a->keys - keys;
  p->x.k.data = (const char *)x->k.data + p->hidden * x->k.position * a->dtype;
  p->x.v.data = (const char *)x->v.data + p->hidden * x->v.position * a->dtype;
  p->shift = keys - a->queries;
  p->key_blocks = ceil_div(keys, BLOCK);
  p->first_block = p->shift < 0 ? -ceil_div(-p->shift, BLOCK) : p->shift / BLOCK;
  p->query_blocks = p->key_blocks - p->first_block;
  p->run = ceil_div(RUN_WINDOWS * window, BLOCK) * BLOCK;
  p->runs = ceil_div(keys, p->run);
  p->factor = a->softcap > 0 ? a->scale / a->softcap : a->scale;
  double work = (double)(a->batch * a->heads * a->queries) * (double)(a->head_size * a->dtype);
  int64_t useful = (int64_t)(work * (double)window / THREAD_WORK) + 1;
  p->a.threads = (int32_t)min(useful, min(a->threads, CK_MAX_THREADS));
  int64_t shared = backward ? a->batch * a->heads * a->queries
                            : a->batch * a->kv_heads * p->key_blocks * BLOCK * a->head_size;
  shared = ceil_div(shared, CACHE_LINE) * CACHE_LINE;
  p->memory = aligned_alloc(CACHE_LINE, (size_t)((shared + p->a.threads * SEAT) * a->dtype));
  p->seats = (char *)p->memory + shared * a->dtype;
  return p->memory ? CK_OK : refuse(error, CK_MEMORY, 0, 0);
}

int ck_attention_forward(const ck_attention *a, const ck_attention_array *q,
                         const ck_attention_array *k, const ck_attention_array *v, const void *sink,
                         void *out, void *lse, ck_error *error) {
  ck_attention_gradients x = {.q = *q, .k = *k, .v = *v, .sink = sink, .out = out, .lse = lse};
  pass p;
  int code = plan(&p, a, &x, false, error);
  if (code != CK_OK)
    return code;
  run(pack_keys, &p, a->batch * a->kv_heads * p.key_blocks);
  run(forward, &p, a->batch * a->heads * p.query_blocks);
  free(p.memory);
  return CK_OK;
}

int ck_attention_backward(const ck_attention *a, const ck_attention_gradients *x, ck_error *error) {
  pass p;
  int code = plan(&p, a, x, true, error);
  if (code != CK_OK)
    return code;
  run(prepare, &p, a->heads);
  for (; p.odd < 2; p.odd++)
    run(backward, &p, a->batch * a->kv_heads * ((p.runs + 1 - p.odd) / 2));
  free(p.memory);
  return CK_OK;
}
