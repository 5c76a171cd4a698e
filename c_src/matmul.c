/* out = a @ b, the way of Goto and BLIS: tiles of `out` stay in registers while they run along k;
 * what they read is cut into blocks that fit the caches and, in large products, copied ("packed")
 * into the order in which it is read. matmul_tile.h has the arithmetic.
 *
 * Every element of `out` is one chain of multiply-adds in the order of k, however the product is
 * cut: its bytes depend neither on strides nor on tiles, and AVX2 and AVX-512 give the same. */
#include "cookbook.h"
#include "cpu.h"

#include <stdbool.h>
#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

enum {
  K_MOST = 1024,     /* a panel of b, at most 192 KB, stays in L2 */
  M_BYTES = 256,     /* times K_MOST: a block of a, 256 KB, stays in L2 */
  N_BYTES = 64 * 66, /* times K_MOST: a block of b, 4 MB, stays in L3 */
  FEW = 32,          /* so few rows or columns do not repay packing */
  STRIP = 64,        /* rows of b that are read side by side when there are few rows of a */
  PANEL_BYTES = 192  /* a row of the widest tile */
};

typedef struct {
  const char *data;
  int64_t row, col; /* strides in bytes */
} matrix;

typedef struct {
  matrix a, b;
  void *out;
  int64_t m, k, n;
  int64_t m_most, k_most, n_most; /* the largest block */
  char *a_panels, *b_panels;      /* where blocks are packed; NULL: tiles read the matrix itself */
} task;

static inline int64_t least(int64_t x, int64_t y) { return x < y ? x : y; }

/* The next part when `left` is cut into parts of `most`; the last two share what is left. */
static inline int64_t part(int64_t left, int64_t most) {
  return left <= most ? left : left < 2 * most ? (left + 1) / 2 : most;
}

#define NAME(x) JOIN(x, ISA, T)
#define JOIN(x, isa, type) JOIN_(x, isa, type)
#define JOIN_(x, isa, type) x##_##isa##_##type
#define INLINE static inline __attribute__((always_inline)) TARGET
#if defined(__clang__)
#define EACH(i, n) _Pragma("clang loop unroll(full)") for (int i = 0; i < n; i++)
#else
#define EACH(i, n) _Pragma("GCC unroll 8") for (int i = 0; i < n; i++)
#endif

/* ---- any machine: vectors of 16 bytes, fused only where the compiler finds that cheap ------ */
#define ISA portable
#define TARGET
#define VECTOR 16
#define fma_portable_float(x, y, sum) ((x) * (y) + (sum))
#define fma_portable_double fma_portable_float
#define load_portable_float(p, lanes)                                                              \
  ((vector){((const any_T *)p)[0], lanes > 1 ? ((const any_T *)p)[1] : 0,                          \
            lanes > 2 ? ((const any_T *)p)[2] : 0, 0})
#define load_portable_double(p, lanes) ((vector){*(const any_T *)p, 0})
#define store_portable_float(p, lanes, v) memcpy(p, &v, (size_t)lanes * sizeof(T))
#define store_portable_double store_portable_float
#define T float
#include "matmul_tile.h"
#define T double
#include "matmul_tile.h"
#undef ISA
#undef TARGET
#undef VECTOR

#if defined(__x86_64__)
/* ---- AVX2 -------------------------------------------------------------------------------- */
#define ISA avx2
#define TARGET __attribute__((target("avx2,fma")))
#define VECTOR 32
#define fma_avx2_float _mm256_fmadd_ps
#define fma_avx2_double _mm256_fmadd_pd
#define MASK4(lanes) _mm256_cmpgt_epi64(_mm256_set1_epi64x(lanes), _mm256_setr_epi64x(0, 1, 2, 3))
#define MASK8(lanes)                                                                               \
  _mm256_cmpgt_epi32(_mm256_set1_epi32(lanes), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7))
#define load_avx2_float(p, lanes) _mm256_maskload_ps(p, MASK8(lanes))
#define load_avx2_double(p, lanes) _mm256_maskload_pd(p, MASK4(lanes))
#define store_avx2_float(p, lanes, v) _mm256_maskstore_ps(p, MASK8(lanes), v)
#define store_avx2_double(p, lanes, v) _mm256_maskstore_pd(p, MASK4(lanes), v)
#define T float
#include "matmul_tile.h"
#define T double
#include "matmul_tile.h"
#undef ISA
#undef TARGET
#undef VECTOR

/* ---- AVX-512 ----------------------------------------------------------------------------- */
#define ISA avx512
#define TARGET __attribute__((target("avx512f")))
#define VECTOR 64
#define fma_avx512_float _mm512_fmadd_ps
#define fma_avx512_double _mm512_fmadd_pd
#define load_avx512_float(p, lanes) _mm512_maskz_loadu_ps((__mmask16)((1 << lanes) - 1), p)
#define load_avx512_double(p, lanes) _mm512_maskz_loadu_pd((__mmask8)((1 << lanes) - 1), p)
#define store_avx512_float(p, lanes, v) _mm512_mask_storeu_ps(p, (__mmask16)((1 << lanes) - 1), v)
#define store_avx512_double(p, lanes, v) _mm512_mask_storeu_pd(p, (__mmask8)((1 << lanes) - 1), v)
#define T float
#include "matmul_tile.h"
#define T double
#include "matmul_tile.h"
#define KERNELS(type) {matmul_portable_##type, matmul_avx2_##type, matmul_avx512_##type}
#else
#define KERNELS(type) {matmul_portable_##type}
#endif

/* ---- the plan ---------------------------------------------------------------------------- */

static int64_t a_bytes(int64_t m, int64_t k, int64_t size) {
  return least(k, K_MOST) * least(m, M_BYTES / size) * size;
}

static int64_t b_bytes(int64_t k, int64_t n, int64_t size) {
  return least(k, K_MOST) * ((least(n, N_BYTES / size) * size + 63) / 64 * 64);
}

/* Packing pays when a copy is read often and the caches do not hold everything anyhow. */
static bool worth_packing(int64_t m, int64_t k, int64_t n) {
  return m > FEW && n > FEW && (double)m * (double)k * (double)n > 512.0 * 512.0 * 512.0;
}

size_t ck_matmul_workspace(int64_t m, int64_t k, int64_t n, size_t itemsize) {
  int64_t size = (int64_t)itemsize;
  return worth_packing(m, k, n) ? (size_t)(a_bytes(m, k, size) + b_bytes(k, n, size) + 64) : 0;
}

typedef void kernel(const task *);

static void run(task *t, int64_t size, void *workspace, kernel *const kernels[]) {
  char panel[STRIP * PANEL_BYTES] __attribute__((aligned(64)));
  if (t->m == 0 || t->n == 0)
    return;
  if (t->k == 0) {
    memset(t->out, 0, (size_t)(t->m * t->n * size));
    return;
  }
  if (t->m <= FEW)
    t->k_most = STRIP;
  if (worth_packing(t->m, t->k, t->n)) {
    t->m_most = M_BYTES / size;
    t->k_most = K_MOST;
    t->n_most = N_BYTES / size;
    t->b_panels = (char *)(((uintptr_t)workspace + 63) & ~(uintptr_t)63);
    t->a_panels = t->b_panels + b_bytes(t->k, t->n, size);
  } else if (t->b.col != size && t->n > 1) { /* a tile loads neighbouring columns */
    t->k_most = STRIP;
    t->n_most = PANEL_BYTES / size;
    t->b_panels = panel;
  }
  kernels[ck_isa_level()](t);
}

void ck_matmul_f32(const void *a, int64_t a_row_stride, int64_t a_col_stride, const void *b,
                   int64_t b_row_stride, int64_t b_col_stride, float *out, int64_t m, int64_t k,
                   int64_t n, void *workspace, int threads) {
  static kernel *const kernels[] = KERNELS(float);
  matrix left = {a, a_row_stride, a_col_stride}, right = {b, b_row_stride, b_col_stride};
  (void)threads;
  run(&(task){left, right, out, m, k, n, m, k, n, NULL, NULL}, sizeof(float), workspace, kernels);
}

void ck_matmul_f64(const void *a, int64_t a_row_stride, int64_t a_col_stride, const void *b,
                   int64_t b_row_stride, int64_t b_col_stride, double *out, int64_t m, int64_t k,
                   int64_t n, void *workspace, int threads) {
  static kernel *const kernels[] = KERNELS(double);
  matrix left = {a, a_row_stride, a_col_stride}, right = {b, b_row_stride, b_col_stride};
  (void)threads;
  run(&(task){left, right, out, m, k, n, m, k, n, NULL, NULL}, sizeof(double), workspace, kernels);
}
