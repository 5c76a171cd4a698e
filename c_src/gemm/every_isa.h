/* Include the file KERNELS once for each element type T and each instruction set ISA. It begins with
 * microkernel.h, or a file that does. EVERY_ISA(f, type) then lists what it has defined as NAME(f). */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

enum {
  PACKING_ROWS = 16, /* rows of b that are packed side by side, each read along its length */
  PREFETCH_ROWS = 12 /* distance at which rows of b are fetched into L1 ahead of their use */
};

typedef struct {
  const char *data;
  int64_t row, col; /* strides in bytes */
} matrix;

static inline int64_t min(int64_t x, int64_t y) { return x < y ? x : y; }
static inline int64_t ceil_div(int64_t n, int64_t size) { return (n + size - 1) / size; }
static inline matrix at(matrix x, int64_t row, int64_t col) {
  return (matrix){x.data + row * x.row + col * x.col, x.row, x.col};
}

/* Return the size of the next part when `left` is divided into parts of `most`. The last two parts
 * share the rest evenly, in whole units. */
static inline int64_t next_part(int64_t left, int64_t most, int64_t unit) {
  return left <= most ? left : left < 2 * most ? ceil_div(left, 2 * unit) * unit : most;
}

#define NAME(x) JOIN(x##_, ISA, T) /* such as microkernel_avx2_float */
#define JOIN(x, isa, type) JOIN_(x, isa, type)
#define JOIN_(x, isa, type) x##isa##_##type
#define vector NAME(vector)
#define any_vector NAME(any_vector) /* a vector at any address */
#define any_T NAME(any)
#define LANES (VECTOR / (int)sizeof(T))
#define EITHER(f32, f64) _Generic((T)0, float: f32, double: f64)
#define INLINE static inline __attribute__((always_inline)) TARGET
#if defined(__clang__)
#define EACH(i, n) _Pragma("clang loop unroll(full)") for (int i = 0; i < n; i++)
#else
#define EACH(i, n) _Pragma("GCC unroll 8") for (int i = 0; i < n; i++)
#endif

/* ---- portable: vectors of 16 bytes and calls of fma(); on aarch64, NEON ----------------------- */
#define ISA portable
#define TARGET
#define VECTOR 16
#if defined(__aarch64__)
#define MR 8
#define NR_VECTORS 3
#define FMA(x, y, sum) EITHER(vfmaq_f32, vfmaq_f64)(sum, x, y)
#else
#define MR 4
#define NR_VECTORS 2
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
/* ---- AVX2 and FMA: the mask of n lanes is the 8 words that begin 8 - n words into `ones` -------- */
static const int32_t ones[16] = {-1, -1, -1, -1, -1, -1, -1, -1};
#define MASK(lanes) _mm256_loadu_si256((const void *)(ones + 8 - lanes * (int)sizeof(T) / 4))
#define ISA avx2
#define TARGET __attribute__((target("avx2,fma")))
#define VECTOR 32
#define MR 6
#define NR_VECTORS 2
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
#define MR 8
#define NR_VECTORS 3
#define FMA EITHER(_mm512_fmadd_ps, _mm512_fmadd_pd)
#define LOAD(p, lanes) EITHER(_mm512_maskz_loadu_ps, _mm512_maskz_loadu_pd)(MASK(lanes), p)
#define STORE(p, lanes, v) EITHER(_mm512_mask_storeu_ps, _mm512_mask_storeu_pd)(p, MASK(lanes), v)
#include "types.h"
#define EVERY_ISA(f, type) {f##_portable_##type, f##_avx2_##type, f##_avx512_##type}
#else
#define EVERY_ISA(f, type) {f##_portable_##type}
#endif
