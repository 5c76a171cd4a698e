/* test_matmul_arrays.c: the arguments that ck_matmul refuses, with which code, without writing
 * anything. */
#include "cookbook.h"

#include <stdio.h>
#include <string.h>

static double memory[64]; /* a (2,3) at 0, b (3,4) at 8, out (2,4) at 24 */

static ck_array array(int at, int ndim, int64_t s0, int64_t s1, int64_t s2) {
  int64_t row = ndim == 3 ? s2 : s1;
  ck_array x = {memory + at, CK_FLOAT64, ndim, {s0, s1, s2}, {row * 8, 8, 8}};
  if (ndim == 3)
    x.strides[0] = s1 * s2 * 8, x.strides[1] = s2 * 8;
  return x;
}

static int failures;

static void expect(const char *what, ck_array a, ck_array b, ck_array out, int64_t threads,
                   int code) {
  double before[64];
  ck_error error = {0};
  memcpy(before, memory, sizeof memory);
  int found = ck_matmul(&a, &b, &out, threads, &error);
  if (found != code ||
      (code != CK_OK && (error.code != code || memcmp(before, memory, sizeof memory)))) {
    printf("%s: %d, not %d\n", what, found, code);
    failures++;
  }
}

int main(void) {
  ck_array a = array(0, 2, 2, 3, 0), b = array(8, 2, 3, 4, 0), out = array(24, 2, 2, 4, 0), x;
  ck_error error;
  for (int i = 0; i < 64; i++)
    memory[i] = i;
  expect("a product", a, b, out, 1, CK_OK);
  if (memory[24] != 0 * 8 + 1 * 12 + 2 * 16)
    failures++;
  expect("no thread", a, b, out, 0, CK_THREADS);
  expect("many threads", a, b, out, INT64_MAX, CK_OK);
  x = a, x.dtype = 2;
  expect("float16", x, b, out, 1, CK_DTYPE);
  x = out, x.dtype = CK_FLOAT32;
  expect("float32 out", a, b, x, 1, CK_DTYPE);
  x = a, x.ndim = 7;
  expect("seven dimensions", x, b, out, 1, CK_DIMENSIONS);
  expect("dimensions of out", a, b, array(24, 1, 8, 0, 0), 1, CK_DIMENSIONS);
  expect("inner sizes", b, a, out, 1, CK_INNER_SIZE);
  expect("batches", array(0, 3, 2, 1, 1), array(8, 3, 3, 1, 1), out, 1, CK_BATCH_SIZE);
  expect("shape", a, b, array(24, 2, 4, 2, 0), 1, CK_SHAPE);
  expect("batch of out", a, b, array(24, 3, 1, 2, 4), 1, CK_SHAPE);
  x = out, x.strides[0] = 40;
  expect("gaps", a, b, x, 1, CK_LAYOUT);
  x = out, x.data = (char *)x.data + 4;
  expect("misaligned", a, b, x, 1, CK_LAYOUT);
  expect("over a", a, b, array(5, 2, 2, 4, 0), 1, CK_OVERLAP);
  expect("over b", a, b, array(19, 2, 2, 4, 0), 1, CK_OVERLAP);
  x = array(0, 2, 2, 3, 0), x.data = memory + 31 + 5; /* backwards, to the last element of out */
  x.strides[0] = -24, x.strides[1] = -8;
  expect("backwards into out", x, b, out, 1, CK_OVERLAP);
  x = array(0, 2, INT64_C(1) << 40, 1, 0);
  ck_array wide = array(0, 2, 1, INT64_C(1) << 40, 0), huge;
  if (ck_matmul_shape(&x, &wide, &huge, &error) != CK_MEMORY || error.code != CK_MEMORY)
    failures++;
  printf("%d failures\n", failures);
  return failures != 0;
}
