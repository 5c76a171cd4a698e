// The C kernel in a C program: `times` products of n x n in a plain loop.
#include "cookbook.h"

#define REPEATED(name, kernel, type)                                                               \
  CK_API void name(size_t times, const type *a, const type *b, type *out, int64_t n) {             \
    const int64_t item = sizeof(type), row = n * item;                                             \
    for (; times > 0; times--)                                                                     \
      kernel(a, 0, row, item, b, 0, row, item, out, 1, n, n, n, 1);                                \
  }

REPEATED(matmul_float32, ck_matmul_f32, float)
REPEATED(matmul_float64, ck_matmul_f64, double)
