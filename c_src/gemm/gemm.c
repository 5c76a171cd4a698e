/* out = a @ b, the way of Goto and BLIS: tiles of `out` stay in registers while they run along k;
 * what they read is cut into blocks that fit the caches, and b is copied ("packed") into the order
 * in which it is read where that pays. microkernel.h has the arithmetic, packing.h the copies.
 *
 * Every element of `out` is one chain of fused multiply-adds in the order of k, however the product
 * is cut: its bytes depend neither on strides and tiles nor on threads and instruction set. */
#include "batch.h"
#include "common/cpu.h"
#include "common/pool.h"
#include "cookbook.h"
#include "scratch.h"

#include <math.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

enum {
  PANEL = 192,     /* bytes of b side by side: a whole number of tiles in every ISA */
  PANELS = 16,     /* that a block of b has at most; with */
  K_MOST = 512,    /* rows it shares L2 with what passes by */
  AHEAD = 12,      /* rows of b that are fetched into L1 before they are used */
  COPY_ROWS = 768, /* bytes of a column of a that are copied at a time, if at all */
  COPY = COPY_ROWS * (K_MOST + 16),
  SLAB = 16,   /* rows of b that are packed side by side; where there is no memory, */
  CHUNK = 128, /* rows of a block */
  LINE = 64,   /* bytes of the cache, */
  PAGE = 4096, /* bytes that are mapped together, */
  FEW = 16,    /* and rows of a with which it does not pay to pack a b of a page a row, */
  MANY = 112,  /* or one whose vectors lie across lines */
  WIDE = 64,   /* columns of b with which it pays to copy an a whose columns are scattered, if */
  LARGE = 1 << 20, /* it has so many bytes, or a page between columns */
  ALONE = 1 << 18, /* multiply-adds that are done without a plan, */
  WORTH = 1 << 25, /* multiply-adds times bytes that repay a second thread, even if it sleeps, */
  PARTS = 2,       /* for each thread, so that all end together, where a part costs nothing; */
  ROW_UNIT = 8     /* rows of out, in whole numbers of which it is cut, as its columns in lines */
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

/* The next part, in whole units, when `left` is cut into parts of `most`; the last two share what
 * is left. */
static inline int64_t part(int64_t left, int64_t most, int64_t unit) {
  return left <= most ? left : left < 2 * most ? pieces(left, 2 * unit) * unit : most;
}

#define NAME(x) JOIN(x##_, ISA, T) /* such as tile_avx2_float */
#define JOIN(x, isa, type) JOIN_(x, isa, type)
#define JOIN_(x, isa, type) x##isa##_##type
#define vector NAME(vector)
#define any_vector NAME(any_vector) /* that need not be aligned */
#define any_T NAME(any)
#define LANES (VECTOR / (int)sizeof(T))
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
#include "types.h"

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
#include "types.h"
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
#include "types.h"
#define EVERY_ISA(f, type) {f##_portable_##type, f##_avx2_##type, f##_avx512_##type}
#else
#define EVERY_ISA(f, type) {f##_portable_##type}
#endif

/* ---- the plan -------------------------------------------------------------------------------- */

typedef struct {
  void (*block[3])(int64_t m, int64_t depth, int64_t n, const matrix *a, const matrix *b, void *out,
                   int64_t stride, bool first);
  void (*copy[3])(void *to, int64_t pitch, int64_t rows, int64_t cols, matrix from);
  void (*pack[3])(void *panels, int64_t depth, int64_t n, matrix b);
} kernel;

#define KERNEL(type) {EVERY_ISA(block, type), EVERY_ISA(copy, type), EVERY_ISA(pack, type)}
static const kernel single = KERNEL(float), twofold = KERNEL(double);

typedef struct {
  const kernel *kernel;
  int isa;
  int64_t size;
  matrix a, b; /* (m, k) and (k, n) */
  char *out;
  int64_t m, k, n;
  int down, across;   /* the parts of `out` */
  bool packs, copies; /* b, and a */
} product;

/* Panels of K_MOST rows that take up five eighths of L2. */
static int64_t panels_in_cache(void) {
  static _Atomic long known;
  long panels = atomic_load_explicit(&known, memory_order_relaxed);
  if (panels == 0) {
    long l2 = 0;
#if defined(_SC_LEVEL2_CACHE_SIZE)
    l2 = sysconf(_SC_LEVEL2_CACHE_SIZE); /* 0 where the system does not know it */
#endif
    panels = (l2 > 0 ? l2 : 1 << 20) / (K_MOST * PANEL) * 5 / 8;
    panels = panels < 2 ? 2 : panels < PANELS ? panels : PANELS;
    atomic_store_explicit(&known, panels, memory_order_relaxed);
  }
  return panels;
}

/* Where one of `parts` fair shares of n begins, in whole units. */
static inline int64_t begin(int64_t index, int64_t parts, int64_t n, int64_t unit) {
  return least(n, pieces(n, unit) * index / parts * unit);
}

/* A part of `out`, by itself: a block of b is packed, and all strips of a pass along it. */
static void multiply_part(void *job, int index, int seat) {
  const product *p = job;
  int64_t row = index / p->across, col = index % p->across, unit = LINE / p->size;
  int64_t top = begin(row, p->down, p->m, ROW_UNIT),
          bottom = begin(row + 1, p->down, p->m, ROW_UNIT);
  int64_t left = begin(col, p->across, p->n, unit), right = begin(col + 1, p->across, p->n, unit);
  char *space = p->packs || p->copies ? ck_take_scratch(seat) : NULL;
  char spare[CHUNK * PANEL] __attribute__((aligned(64)));
  char *panels = space ? space : spare;
  bool copies = space && p->copies;
  int64_t k_most = p->packs && !space ? CHUNK : K_MOST, width, depth, height;
  int64_t n_most = (p->packs && !space ? 1 : panels_in_cache()) * PANEL / p->size;
  for (int64_t j = left; j < right; j += width) {
    width = part(right - j, n_most, PANEL / p->size);
    for (int64_t k = 0; k < p->k; k += depth) {
      depth = part(p->k - k, k_most, 1);
      matrix b = at(p->b, k, j);
      if (p->packs) {
        p->kernel->pack[p->isa](panels, depth, width, b);
        b = (matrix){panels, 0, 0};
      }
      for (int64_t i = top; i < bottom; i += height) {
        height = copies ? least(COPY_ROWS / p->size, bottom - i) : bottom - i;
        matrix a = at(p->a, i, k);
        if (copies) {
          int64_t pitch = depth + 64 / p->size;
          char *copy = space + CK_SCRATCH - COPY;
          p->kernel->copy[p->isa](copy, pitch, height, depth, a);
          a = (matrix){copy, pitch * p->size, p->size};
        }
        p->kernel->block[p->isa](height, depth, width, &a, &b, p->out + (i * p->n + j) * p->size,
                                 p->n, k == 0);
      }
    }
  }
  if (space)
    ck_give_scratch(space, seat);
}

/* Into columns where b is packed, no wider than a block of it, for each part packs its own. */
static void cut(product *p, int64_t threads) {
  int64_t parts = PARTS * threads, row = p->n * p->size;
  if (p->packs) {
    parts = threads;
    p->across = (int)least(pieces(pieces(row, panels_in_cache() * PANEL), threads) * threads,
                           pieces(row, 2 * PANEL));
  }
  p->down = (int)least(pieces(parts, p->across), pieces(p->m, ROW_UNIT));
}

static inline bool paged(int64_t stride) { return stride >= PAGE || stride <= -PAGE; }

static __attribute__((noinline)) void multiply_parts(const kernel *kernel, int64_t size, int64_t m,
                                                     int64_t k, int64_t n, matrix a, matrix b,
                                                     char *out, double work, int threads) {
  bool split = ((uintptr_t)b.data | (uintptr_t)b.row) % LINE != 0;
  bool packs = b.col != size || (paged(b.row) && m > FEW) || (split && m > MANY);
  bool large = (double)m * (double)k * (double)size >= LARGE;
  bool copies = a.col != size && n >= WIDE && (paged(a.col) || large);
  product p = {kernel, ck_isa_level(), size, a, b, out, m, k, n, 1, 1, packs, copies};
  work *= (double)size;
  threads = (int)least(threads, work < 0x1p62 ? (int64_t)work / WORTH + 1 : threads);
  if (threads > 1)
    cut(&p, threads);
  ck_pool_run(multiply_part, &p, p.down * p.across, threads);
}

static inline void multiply(const kernel *kernel, int64_t size, int64_t m, int64_t k, int64_t n,
                            matrix a, matrix b, void *out, int threads) {
  double work = (double)m * (double)k * (double)n;
  if (n == 1 || work == 0)
    b.col = size; /* as good as any */
  if (b.col == size && work <= ALONE && (k <= K_MOST || work == 0))
    kernel->block[ck_isa_level()](m, k, n, &a, &b, out, n, true);
  else
    multiply_parts(kernel, size, m, k, n, a, b, out, work, threads);
}

#define MATMUL(name, type, kernel)                                                                 \
  void name(const void *a, int64_t a_batch_stride, int64_t a_row_stride, int64_t a_col_stride,     \
            const void *b, int64_t b_batch_stride, int64_t b_row_stride, int64_t b_col_stride,     \
            type *out, int64_t batch, int64_t m, int64_t k, int64_t n, int threads) {              \
    if (batch == 1)                                                                                \
      multiply(&kernel, sizeof(type), m, k, n, (matrix){a, a_row_stride, a_col_stride},            \
               (matrix){b, b_row_stride, b_col_stride}, out, threads);                             \
    else                                                                                           \
      ck_multiply_batch(sizeof(type), (matrices){a, a_batch_stride, a_row_stride, a_col_stride},   \
                        (matrices){b, b_batch_stride, b_row_stride, b_col_stride}, (char *)out,    \
                        batch, m, k, n, threads);                                                  \
  }

MATMUL(ck_matmul_f32, float, single)
MATMUL(ck_matmul_f64, double, twofold)
