/* Sliding-window attention without a matrix of scores, as in "FlashAttention" (Dao et al., 2022) and
 * "FlashAttention-2" (Dao, 2023), with the softmax of "Online normalizer calculation for softmax"
 * (Milakov and Gimelshein, 2018).
 *
 * Positions are divided into blocks. A part of the forward pass is a block of queries of one head. A
 * part of the backward pass is a run of key blocks of one head of k: it computes their dK and dV, and
 * adds to the dQ of the queries that see them. A run is as long as the window or longer, so that these
 * queries belong to the run and the next one. The even runs come first, and do not meet:
 *
 *   keys       |  run 0  |  run 1  |  run 2  |  run 3  |
 *   even runs    dQ of run 0 ...     dQ of run 2 ...
 *   odd runs               dQ of run 1 ...     dQ of run 3
 *
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
  THREAD_WORK = 1 << 25 /* multiply-adds times bytes that repay waking another thread */
};

typedef struct {
  ck_attention a;           /* with the keys that queries see, and a window of no more */
  ck_attention_gradients x; /* k and v begin at the first of those keys */
  void *out, *lse;
  int64_t hidden; /* the number of keys before them */
  int64_t group;  /* heads of q for one of k */
  int64_t shift;  /* query i stands at position i + shift */
  int64_t query_blocks, key_blocks;
  int64_t run, runs, odd; /* the keys in a run; 1 while odd runs are computed */
  double factor;          /* of q . k in a score, or in the tangent of a capped one */
  void *memory, *seats;   /* `memory` begins with the transposed keys, or delta */
} pass;

static inline int64_t max(int64_t x, int64_t y) { return x > y ? x : y; }

/* Return the number of the block of position x, which may be negative. */
static inline int64_t block_of(int64_t x) { return x < 0 ? -((BLOCK - 1 - x) / BLOCK) : x / BLOCK; }

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
  bool divides = a->kv_heads > 0 ? a->heads % a->kv_heads == 0 : a->kv_heads == a->heads;
  const int64_t members[] = {a->dtype,    a->threads, a->batch, a->heads,
                             a->kv_heads, a->queries, a->keys,  a->head_size,
                             a->window,   0,          0};
  const bool right[] = {a->dtype == CK_FLOAT32 || a->dtype == CK_FLOAT64,
                        a->threads >= 1,
                        a->batch >= 0,
                        a->heads >= 0,
                        divides,
                        a->queries >= 0,
                        a->keys >= 0,
                        a->head_size >= 1 && a->head_size <= MOST_SIZE,
                        a->window >= 1,
                        isfinite(a->scale),
                        isfinite(a->softcap) && a->softcap >= 0};
  for (int i = 0; i < 11; i++)
    if (!right[i])
      return refuse(error, CK_ARGUMENT, i, members[i]);
  double heads = (double)a->batch * (double)a->heads;
  double rows = heads * ((double)a->queries + (double)a->keys + BLOCK);
  return rows < 0x1p36 ? CK_OK : refuse(error, CK_MEMORY, 0, 0);
}

static pass plan(const ck_attention *a, const ck_attention_gradients *x) {
  pass p = {.a = *a, .x = *x, .group = a->heads / max(a->kv_heads, 1)};
  int64_t window = min(a->window, max(a->keys, 1));
  p.a.window = window;
  p.a.keys = min(a->keys, a->queries + window - 1);
  p.hidden = a->keys - p.a.keys;
  p.x.k.data = (const char *)x->k.data + p.hidden * x->k.position * a->dtype;
  p.x.v.data = (const char *)x->v.data + p.hidden * x->v.position * a->dtype;
  p.shift = p.a.keys - a->queries;
  p.key_blocks = ceil_div(p.a.keys, BLOCK);
  p.query_blocks = p.key_blocks - block_of(p.shift);
  p.run = ceil_div(window, BLOCK) * BLOCK;
  p.runs = ceil_div(p.a.keys, p.run);
  p.factor = a->softcap > 0 ? a->scale / a->softcap : a->scale;
  double row = (double)window * (double)(a->head_size * a->dtype) / THREAD_WORK;
  double useful = (double)(a->batch * a->heads) * (double)a->queries * row + 1;
  int64_t threads = min(a->threads, CK_MAX_THREADS);
  p.a.threads = (int32_t)(useful < (double)threads ? (int64_t)useful : threads);
  return p;
}

/* Allocate `shared` elements at p->memory, and SEAT for each thread at p->seats. */
static bool reserve(pass *p, int64_t shared) {
  shared = ceil_div(shared, CACHE_LINE) * CACHE_LINE;
  p->memory = aligned_alloc(CACHE_LINE, (size_t)((shared + p->a.threads * SEAT) * p->a.dtype));
  p->seats = (char *)p->memory + shared * p->a.dtype;
  return p->memory != NULL;
}

int ck_attention_forward(const ck_attention *a, const ck_attention_array *q,
                         const ck_attention_array *k, const ck_attention_array *v, const void *sink,
                         void *out, void *lse, ck_error *error) {
  ck_attention_gradients x = {.q = *q, .k = *k, .v = *v, .sink = sink};
  int code = check(a, error);
  if (code != CK_OK)
    return code;
  pass p = plan(a, &x);
  p.out = out;
  p.lse = lse;
  int64_t blocks = a->batch * a->kv_heads * p.key_blocks;
  if (!reserve(&p, blocks * BLOCK * a->head_size))
    return refuse(error, CK_MEMORY, 0, 0);
  run(pack_keys, &p, blocks);
  run(forward, &p, a->batch * a->heads * p.query_blocks);
  free(p.memory);
  return CK_OK;
}

int ck_attention_backward(const ck_attention *a, const ck_attention_gradients *x, ck_error *error) {
  int code = check(a, error);
  if (code != CK_OK)
    return code;
  pass p = plan(a, x);
  if (!reserve(&p, a->batch * a->heads * a->queries))
    return refuse(error, CK_MEMORY, 0, 0);
  run(prepare, &p, a->heads);
  for (; p.odd < 2; p.odd++)
    run(backward, &p, a->batch * a->kv_heads * ((p.runs + 1 - p.odd) / 2));
  free(p.memory);
  return CK_OK;
}
