// The C kernel without a door: `times` products of n x n, each begun when the last has ended.
#include "cookbook.h"

#if defined(__x86_64__)
#define WAIT() __builtin_ia32_lfence()
#elif defined(__aarch64__)
#define WAIT() __asm__ volatile("isb")
#else
#define WAIT()
#endif

#define REPEATED(name, kernel, type)                                                               \
  CK_API void name(size_t times, const type *a, const type *b, type *out, int64_t n) {             \
    const int64_t item = sizeof(type), row = n * item;                                             \
    for (; times > 0; times--) {                                                                   \
      kernel(a, 0, row, item, b, 0, row, item, out, 1, n, n, n, 1);                                \
      WAIT();                                                                                      \
    }                                                                                              \
  }

REPEATED(matmul_float32, ck_matmul_f32, float)
REPEATED(matmul_float64, ck_matmul_f64, double)
