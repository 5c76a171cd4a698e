/* GEMM, out = a @ b, as Goto and BLIS do it ("Anatomy of High-Performance Matrix Multiplication",
 * 2008; "BLIS: A Framework for Rapidly Instantiating BLAS Functionality", 2015):
 *
 *   for each NC columns of b:              a block of b, KC x NC, stays in L2
 *     for each KC rows of them:            pack b, if its rows are far apart, misaligned or crowded
 *       for each MC rows of a:             pack a, if its columns are far apart
 *         macrokernel: for each MR rows and NR columns of out
 *           microkernel: MR x NR sums stay in registers while k runs from 0 to KC
 *
 * microkernel.h has the arithmetic and packing.h the copies, for one element type and instruction
 * set. Every element of `out` is one chain of fused multiply-adds in the order of k, however the
 * product is partitioned, so that its bytes depend neither on strides, blocks and threads nor on the
 * instruction set. */
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

enum {
  NR_BYTES = 192, /* width of a panel of b: a whole number of vectors in every instruction set */
  NC_PANELS = 16, /* the most panels in a block of b */
  KC = 512,       /* the most rows of a block of b */
  MC_BYTES = 768, /* the most bytes in a column of a block of a that is packed */
  PACKED_A_BYTES = MC_BYTES * (KC + 16),
  SMALL_KC = 128 /* rows of a block of b that is packed on the stack, without scratch memory */
};

enum {
  CACHE_LINE = 64,
  PAGE = 4096,
  FEW_ROWS = 16,   /* rows of a up to which b is not packed, even if its rows are a page apart */
  SOME_ROWS = 64,  /* rows of a up to which b is not packed, even if its rows are crowded */
  MANY_ROWS = 112, /* rows of a up to which b is not packed, even if it is misaligned */
  WIDE_COLS = 64,  /* columns of b below which a is never packed */
  LARGE_BYTES = 1 << 20,    /* size of a below which packing needs columns a page apart */
  UNBLOCKED_WORK = 1 << 18, /* multiply-adds up to which one macrokernel call suffices */
  THREAD_WORK = 1 << 25,    /* multiply-adds times bytes that repay waking another thread */
  PARTS_PER_THREAD = 2,     /* so that threads end together; if a part costs nothing extra */
  ROW_UNIT = 8              /* the rows of a part of out are a multiple of this */
};

#define KERNELS "packing.h"
#include "every_isa.h"

/* ---- blocking ------------------------------------------------------------------------------- */

typedef struct {
  void (*macrokernel[3])(int64_t m, int64_t kc, int64_t n, const matrix *a, const matrix *b,
                         void *out, int64_t stride, bool first);
  void (*pack_a[3])(void *to, int64_t pitch, int64_t rows, int64_t cols, matrix from);
  void (*pack_b[3])(void *panels, int64_t kc, int64_t n, matrix b);
} kernels;

#define KERNEL(type)                                                                               \
  {EVERY_ISA(macrokernel, type), EVERY_ISA(pack_a, type), EVERY_ISA(pack_b, type)}
static const kernels kernels_f32 = KERNEL(float), kernels_f64 = KERNEL(double);

typedef struct {
  const kernels *kernels;
  int isa;
  int64_t size;
  matrix a, b; /* (m, k) and (k, n) */
  char *out;
  int64_t m, k, n;
  int down, across; /* the numbers of parts into which rows and columns of out are divided */
  bool packs_b, packs_a;
} product;

/* Return the number of panels of KC rows that fill five eighths of L2. */
static int64_t panels_in_l2(void) {
  static _Atomic long known;
  long panels = atomic_load_explicit(&known, memory_order_relaxed);
  if (panels == 0) {
    long l2 = 0;
#if defined(_SC_LEVEL2_CACHE_SIZE)
    l2 = sysconf(_SC_LEVEL2_CACHE_SIZE); /* 0 if the system does not know it */
#endif
    panels = (l2 > 0 ? l2 : 1 << 20) / (KC * NR_BYTES) * 5 / 8;
    panels = panels < 2 ? 2 : panels < NC_PANELS ? panels : NC_PANELS;
    atomic_store_explicit(&known, panels, memory_order_relaxed);
  }
  return panels;
}

/* Return where share `index` of n begins when n is divided fairly into `parts`, in whole units. */
static inline int64_t share_begin(int64_t index, int64_t parts, int64_t n, int64_t unit) {
  return min(n, ceil_div(n, unit) * index / parts * unit);
}

/* Compute one part of `out`. Each part packs its own blocks. */
static void multiply_part(void *job, int index, int seat) {
  const product *p = job;
  int64_t row = index / p->across, col = index % p->across, unit = CACHE_LINE / p->size;
  int64_t top = share_begin(row, p->down, p->m, ROW_UNIT),
          bottom = share_begin(row + 1, p->down, p->m, ROW_UNIT);
  int64_t left = share_begin(col, p->across, p->n, unit),
          right = share_begin(col + 1, p->across, p->n, unit);
  char *scratch = p->packs_b || p->packs_a ? ck_take_scratch(seat) : NULL;
  char on_stack[SMALL_KC * NR_BYTES] __attribute__((aligned(64)));
  char *panels = scratch ? scratch : on_stack;
  bool packs_a = scratch && p->packs_a;
  int64_t kc_max = p->packs_b && !scratch ? SMALL_KC : KC, nc, kc, mc;
  int64_t nc_max = (p->packs_b && !scratch ? 1 : panels_in_l2()) * NR_BYTES / p->size;
  for (int64_t j = left; j < right; j += nc) {
    nc = next_part(right - j, nc_max, NR_BYTES / p->size);
    for (int64_t k = 0; k < p->k; k += kc) {
      kc = next_part(p->k - k, kc_max, 1);
      matrix b = at(p->b, k, j);
      if (p->packs_b) {
        p->kernels->pack_b[p->isa](panels, kc, nc, b);
        b = (matrix){panels, 0, 0};
      }
      for (int64_t i = top; i < bottom; i += mc) {
        mc = packs_a ? min(MC_BYTES / p->size, bottom - i) : bottom - i;
        matrix a = at(p->a, i, k);
        if (packs_a) {
          int64_t pitch = kc + 64 / p->size;
          char *packed = scratch + CK_SCRATCH - PACKED_A_BYTES;
          p->kernels->pack_a[p->isa](packed, pitch, mc, kc, a);
          a = (matrix){packed, pitch * p->size, p->size};
        }
        p->kernels->macrokernel[p->isa](mc, kc, nc, &a, &b, p->out + (i * p->n + j) * p->size, p->n,
                                        k == 0);
      }
    }
  }
  if (scratch)
    ck_give_scratch(scratch, seat);
}

/* Divide `out` into parts. If b is packed, a part is a range of columns, at most as wide as a block
 * of b, because each part packs the columns of b that it reads. */
static void partition(product *p, int64_t threads) {
  int64_t parts = PARTS_PER_THREAD * threads, row = p->n * p->size;
  if (p->packs_b) {
    parts = threads;
    p->across = (int)min(ceil_div(ceil_div(row, panels_in_l2() * NR_BYTES), threads) * threads,
                         ceil_div(row, 2 * NR_BYTES));
  }
  p->down = (int)min(ceil_div(parts, p->across), ceil_div(p->m, ROW_UNIT));
}

static inline bool paged(int64_t stride) { return stride >= PAGE || stride <= -PAGE; }

static __attribute__((noinline)) void multiply_parts(const kernels *kernels, int64_t size,
                                                     int64_t m, int64_t k, int64_t n, matrix a,
                                                     matrix b, char *out, double work,
                                                     int threads) {
  bool split = ((uintptr_t)b.data | (uintptr_t)b.row) % CACHE_LINE != 0;
  bool crowded = b.row % (PAGE / 2) == 0; /* its rows compete for the same few sets of L1 */
  bool packs_b = b.col != size || (paged(b.row) && m > FEW_ROWS) || (crowded && m > SOME_ROWS) ||
                 (split && m > MANY_ROWS);
  bool large = (double)m * (double)k * (double)size >= LARGE_BYTES;
  bool packs_a = a.col != size && n >= WIDE_COLS && (paged(a.col) || large);
  product p = {kernels, ck_isa_level(), size, a, b, out, m, k, n, 1, 1, packs_b, packs_a};
  work *= (double)size;
  threads = (int)min(threads, work < 0x1p62 ? (int64_t)work / THREAD_WORK + 1 : threads);
  if (threads > 1)
    partition(&p, threads);
  ck_pool_run(multiply_part, &p, p.down * p.across, threads);
}

static inline void multiply(const kernels *kernels, int64_t size, int64_t m, int64_t k, int64_t n,
                            matrix a, matrix b, void *out, int threads) {
  double work = (double)m * (double)k * (double)n;
  if (n == 1 || work == 0)
    b.col = size; /* this stride is never used */
  if (b.col == size && work <= UNBLOCKED_WORK && (k <= KC || work == 0))
    kernels->macrokernel[ck_isa_level()](m, k, n, &a, &b, out, n, true);
  else
    multiply_parts(kernels, size, m, k, n, a, b, out, work, threads);
}

#define MATMUL(name, type, kernels)                                                                \
  void name(const void *a, int64_t a_batch_stride, int64_t a_row_stride, int64_t a_col_stride,     \
            const void *b, int64_t b_batch_stride, int64_t b_row_stride, int64_t b_col_stride,     \
            type *out, int64_t batch, int64_t m, int64_t k, int64_t n, int threads) {              \
    if (batch == 1)                                                                                \
      multiply(&kernels, sizeof(type), m, k, n, (matrix){a, a_row_stride, a_col_stride},           \
               (matrix){b, b_row_stride, b_col_stride}, out, threads);                             \
    else                                                                                           \
      ck_multiply_batch(sizeof(type), (matrices){a, a_batch_stride, a_row_stride, a_col_stride},   \
                        (matrices){b, b_batch_stride, b_row_stride, b_col_stride}, (char *)out,    \
                        batch, m, k, n, threads);                                                  \
  }

MATMUL(ck_matmul_f32, float, kernels_f32)
MATMUL(ck_matmul_f64, double, kernels_f64)
