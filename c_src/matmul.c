/* out = a @ b, the way of Goto and BLIS: tiles of `out` stay in registers while they run along k;
 * what they read is cut into blocks that fit the caches, and b is copied ("packed") into the order
 * in which it is read where that pays. matmul_tile.h has the arithmetic.
 *
 * Every element of `out` is one chain of fused multiply-adds in the order of k, however the product
 * is cut: its bytes depend neither on strides and tiles nor on threads and instruction set. */
#define _DEFAULT_SOURCE /* madvise */
#include "cookbook.h"
#include "cpu.h"
#include "matmul_batch.h"
#include "pool.h"

#include <math.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#if defined(__linux__)
#include <sys/mman.h>
#endif
#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

enum {
  K_MOST = 512,             /* a panel of b, 96 KB, stays in L2 with a block of a, */
  M_BYTES = 768,            /* times K_MOST: 384 KB */
  N_BYTES = 48 * 192,       /* times K_MOST: a block of b, 4.5 MB, stays in L3 */
  GROUP = 2 * 192,          /* bytes of a row of b that one thread packs */
  CHUNK = 64,               /* rows of b that are packed and used at a time, by */
  HEAD = 8,                 /* rows of a */
  AHEAD = 12,               /* rows of b that are fetched into L1 before they are used */
  ROW_UNIT = 24,            /* a whole number of tiles in every instruction set */
  ALONE = 1 << 18,          /* multiply-adds that are done without a plan, */
  WORTH = 1 << 20,          /* that repay waking a thread */
  IN_L1 = 1 << 15,          /* bytes of b that need no packing */
  SPACE = K_MOST * N_BYTES, /* for packing b; */
  COPY_BYTES = M_BYTES * (K_MOST + 16), /* for copying blocks of a, each thread its own */
  SEATS = 64
};

typedef struct {
  const char *data;
  int64_t row, col; /* strides in bytes */
} matrix;

static inline int64_t least(int64_t x, int64_t y) { return x < y ? x : y; }
static inline int64_t pieces(int64_t n, int64_t size) { return (n + size - 1) / size; }
static inline matrix at(matrix x, int64_t row, int64_t col) {
  return (matrix){x.data + row * x.row + col * x.col, x.row, x.col};
}

/* The next part when `left` is cut into parts of `most`; the last two share what is left. */
static inline int64_t part(int64_t left, int64_t most) {
  return left <= most ? left : left < 2 * most ? (left + 1) / 2 : most;
}

#define NAME(x) JOIN(x##_, ISA, T) /* such as tile_avx2_float */
#define JOIN(x, isa, type) JOIN_(x, isa, type)
#define JOIN_(x, isa, type) x##isa##_##type
#define EITHER(single, twofold) _Generic((T)0, float: single, double: twofold)
#define INLINE static inline __attribute__((always_inline)) TARGET
#if defined(__clang__)
#define EACH(i, n) _Pragma("clang loop unroll(full)") for (int i = 0; i < n; i++)
#else
#define EACH(i, n) _Pragma("GCC unroll 8") for (int i = 0; i < n; i++)
#endif

/* ---- any machine, with 16 bytes of fma calls; or NEON, which every aarch64 has --------------- */
#define ISA portable
#define TARGET
#define VECTOR 16
#if defined(__aarch64__)
#define ROWS 8
#define COLS 3
#define FMA(x, y, sum) EITHER(vfmaq_f32, vfmaq_f64)(sum, x, y)
#else
#define ROWS 4
#define COLS 2
#define FMA(x, y, sum)                                                                             \
  ({                                                                                               \
    vector x_ = x, y_ = y, sum_ = sum;                                                             \
    EACH(i, LANES) { sum_[i] = EITHER(fmaf, fma)(x_[i], y_[i], sum_[i]); }                         \
    sum_;                                                                                          \
  })
#endif
#define LOAD(p, lanes)                                                                             \
  ({                                                                                               \
    vector v_ = {0};                                                                               \
    memcpy(&v_, p, (size_t)lanes * sizeof(T));                                                     \
    v_;                                                                                            \
  })
#define STORE(p, lanes, v) memcpy(p, &v, (size_t)lanes * sizeof(T))
#include "matmul_types.h"

#if defined(__x86_64__)
/* ---- AVX2 and FMA: the mask is read out of eight ones and eight zeros ------------------------ */
static const int32_t ones[16] = {-1, -1, -1, -1, -1, -1, -1, -1};
#define MASK(lanes) _mm256_loadu_si256((const void *)(ones + 8 - lanes * (int)sizeof(T) / 4))
#define ISA avx2
#define TARGET __attribute__((target("avx2,fma")))
#define VECTOR 32
#define ROWS 6
#define COLS 2
#define FMA EITHER(_mm256_fmadd_ps, _mm256_fmadd_pd)
#define LOAD(p, lanes) EITHER(_mm256_maskload_ps, _mm256_maskload_pd)(p, MASK(lanes))
#define STORE(p, lanes, v) EITHER(_mm256_maskstore_ps, _mm256_maskstore_pd)(p, MASK(lanes), v)
#include "matmul_types.h"
#undef MASK

/* ---- AVX-512 --------------------------------------------------------------------------------- */
#define MASK(lanes) (__mmask16)((1 << (lanes)) - 1)
#define ISA avx512
#define TARGET __attribute__((target("avx512f")))
#define VECTOR 64
#define ROWS 8
#define COLS 3
#define FMA EITHER(_mm512_fmadd_ps, _mm512_fmadd_pd)
#define LOAD(p, lanes) EITHER(_mm512_maskz_loadu_ps, _mm512_maskz_loadu_pd)(MASK(lanes), p)
#define STORE(p, lanes, v) EITHER(_mm512_mask_storeu_ps, _mm512_mask_storeu_pd)(p, MASK(lanes), v)
#include "matmul_types.h"
#define EVERY_ISA(f, type) {f##_portable_##type, f##_avx2_##type, f##_avx512_##type}
#else
#define EVERY_ISA(f, type) {f##_portable_##type}
#endif

/* ---- the plan -------------------------------------------------------------------------------- */

typedef struct {
  void (*block[3])(int64_t m, int64_t depth, int64_t n, const matrix *a, const matrix *b, void *out,
                   int64_t stride, bool first);
  void (*copy[3])(void *to, int64_t pitch, int64_t rows, int64_t cols, matrix from);
  void (*pack[3])(int64_t m, int64_t depth, int64_t n, matrix a, matrix b, void *panels, void *out,
                  int64_t stride, bool first);
} kernel;

#define KERNEL(type) {EVERY_ISA(block, type), EVERY_ISA(copy, type), EVERY_ISA(pack, type)}
static const kernel single = KERNEL(float), twofold = KERNEL(double);

typedef struct {
  const kernel *kernel;
  int isa;
  int64_t size;
  matrix a, b; /* (m, depth) and (depth, n) of the block at hand, */
  char *out;   /* and (m, n), with rows `stride` long */
  int64_t m, depth, n, stride;
  bool first;
  int64_t height, width, across; /* of a part of `out`; how many of them side by side */
  char *panels, *copies;         /* of b; of a, for each seat. NULL: tiles read the matrix itself */
} product;

/* Packs some panels of b, and uses them for the first rows of a while they are at hand. */
static void pack_part(void *job, int part, int seat) {
  const product *p = job;
  int64_t width = GROUP / p->size, j = part * width;
  (void)seat;
  p->kernel->pack[p->isa](least(p->m, HEAD), p->depth, least(width, p->n - j), p->a, at(p->b, 0, j),
                          p->panels + j * p->size * p->depth, p->out + j * p->size, p->stride,
                          p->first);
}

static void multiply_part(void *job, int part, int seat) {
  const product *p = job;
  int64_t i = (p->panels ? HEAD : 0) + part / p->across * p->height;
  int64_t begin = part % p->across * p->width, end = least(p->n, begin + p->width), width;
  int64_t height = least(p->height, p->m - i);
  matrix a = at(p->a, i, 0), b;
  if (p->copies) {
    int64_t pitch = p->depth + 64 / p->size;
    char *copy = p->copies + seat * (int64_t)COPY_BYTES;
    p->kernel->copy[p->isa](copy, pitch, height, p->depth, a);
    a = (matrix){copy, pitch * p->size, p->size};
  }
  for (int64_t j = begin; j < end; j += width) {
    width = p->panels ? least(GROUP / p->size, end - j) : end - j;
    b = p->panels ? (matrix){p->panels + j * p->size * p->depth, 0, 0} : at(p->b, 0, j);
    p->kernel->block[p->isa](height, p->depth, width, &a, &b,
                             p->out + (i * p->stride + j) * p->size, p->stride, p->first);
  }
}

/* How `out` is cut among threads: into rows, where they are few into columns too. */
static void run_parts(product *p, int threads) {
  int64_t m = p->m - (p->panels ? HEAD : 0), most = M_BYTES / p->size, groups;
  if (m <= 0)
    return;
  groups = pieces(p->n * p->size, GROUP);
  p->height = least(most, pieces(pieces(m, 4 * threads), ROW_UNIT) * ROW_UNIT);
  p->across = least(groups, pieces(4 * (threads - 1), pieces(m, p->height)) + (threads == 1));
  p->width = pieces(groups, p->across) * GROUP / p->size;
  p->across = pieces(p->n, p->width);
  ck_pool_run(multiply_part, p, (int)(pieces(m, p->height) * p->across), threads);
}

/* Kept from one call to the next, since the system takes long to give memory. */
static char *_Atomic kept;

static char *take_space(void) {
  const size_t page = 2 << 20, size = (SPACE + (size_t)SEATS * COPY_BYTES + page - 1) / page * page;
  char *space = atomic_exchange(&kept, NULL);
  if (!space && (space = aligned_alloc(page, size))) {
#if defined(__linux__)
    madvise(space, size, MADV_HUGEPAGE);
#endif
  }
  return space;
}

static void give_space(char *space) { free(atomic_exchange(&kept, space)); }

static __attribute__((noinline)) void multiply_blocks(const kernel *kernel, int64_t size, int64_t m,
                                                      int64_t k, int64_t n, matrix a, matrix b,
                                                      char *out, double work, int threads) {
  const bool whole = b.col == size;
  char spare[CHUNK * GROUP] __attribute__((aligned(64))), *space = NULL;
  product p = {kernel, ck_isa_level(), size, a, b, out, m, k, n, n, true, 0, 0, 0, NULL, NULL};
  int64_t k_most = K_MOST, n_most = n, depth, width;
  if (!whole || (m > 4 * HEAD && k * n * size > IN_L1)) {
    if (k > CHUNK || n * size > GROUP)
      space = take_space();
    k_most = space ? K_MOST : CHUNK; /* without memory it works too */
    n_most = (space ? N_BYTES : GROUP) / size;
    p.panels = space ? space : spare;
    p.copies = space && a.col != size ? space + SPACE : NULL;
  }
  threads = (int)least(threads, work < 0x1p62 ? (int64_t)work / WORTH + 1 : threads);
  for (int64_t j = 0; j < n; j += width) {
    p.n = width = least(n_most, n - j);
    p.out = out + j * size;
    for (int64_t i = 0; i < k; i += depth) {
      p.depth = depth = part(k - i, k_most);
      p.a = at(a, 0, i);
      p.b = at(b, i, j);
      p.first = i == 0;
      if (p.panels)
        ck_pool_run(pack_part, &p, (int)pieces(width * size, GROUP), threads);
      run_parts(&p, threads);
    }
  }
  if (space)
    give_space(space);
}

static inline void multiply(const kernel *kernel, int64_t size, int64_t m, int64_t k, int64_t n,
                            matrix a, matrix b, void *out, int threads) {
  double work = (double)m * (double)k * (double)n;
  if (n == 1 || work == 0)
    b.col = size; /* as good as any */
  if (b.col == size && work <= (threads == 1 ? ALONE : WORTH) && (k <= K_MOST || work == 0))
    kernel->block[ck_isa_level()](m, k, n, &a, &b, out, n, true);
  else
    multiply_blocks(kernel, size, m, k, n, a, b, out, work, threads);
}

void ck_matmul_f32(const void *a, int64_t a_batch_stride, int64_t a_row_stride,
                   int64_t a_col_stride, const void *b, int64_t b_batch_stride,
                   int64_t b_row_stride, int64_t b_col_stride, float *out, int64_t batch, int64_t m,
                   int64_t k, int64_t n, int threads) {
  if (batch == 1)
    multiply(&single, sizeof(float), m, k, n, (matrix){a, a_row_stride, a_col_stride},
             (matrix){b, b_row_stride, b_col_stride}, out, threads);
  else
    ck_multiply_batch(sizeof(float), (matrices){a, a_batch_stride, a_row_stride, a_col_stride},
                      (matrices){b, b_batch_stride, b_row_stride, b_col_stride}, (char *)out, batch,
                      m, k, n, threads);
}

void ck_matmul_f64(const void *a, int64_t a_batch_stride, int64_t a_row_stride,
                   int64_t a_col_stride, const void *b, int64_t b_batch_stride,
                   int64_t b_row_stride, int64_t b_col_stride, double *out, int64_t batch,
                   int64_t m, int64_t k, int64_t n, int threads) {
  if (batch == 1)
    multiply(&twofold, sizeof(double), m, k, n, (matrix){a, a_row_stride, a_col_stride},
             (matrix){b, b_row_stride, b_col_stride}, out, threads);
  else
    ck_multiply_batch(sizeof(double), (matrices){a, a_batch_stride, a_row_stride, a_col_stride},
                      (matrices){b, b_batch_stride, b_row_stride, b_col_stride}, (char *)out, batch,
                      m, k, n, threads);
}
