/* c_src/matmul.c: the same ideas for any shape, strides, element type and instruction set. */
#include "../../c_src/cookbook.h"
#include "ladder.h"

static void matmul(int n, const float *restrict a, const float *restrict b, float *restrict out,
                   int threads) {
  int64_t item = sizeof(float), row = n * item;
  ck_matmul_f32(a, row, item, b, row, item, out, n, n, n, threads);
}
