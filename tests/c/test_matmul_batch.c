/* test_matmul_batch.c: ck_matmul_* of a batch gives the bytes of its single products (which
 * test_matmul.c compares with a reference), for any strides of the batch and any number of
 * threads. */
#include "cookbook.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CANARY = 64 };

static int failures, cases;

/* Matrices in a block of exactly the bytes they span, so that sanitizers see an overrun. */
typedef struct {
  char *block, *data;
  int64_t next, row, col;
} matrices;

enum { STACKED, SHARED, BACKWARDS, INTERLEAVED, TRANSPOSED, UPSIDE_DOWN, UNALIGNED, N_LAYOUTS };
static const char *const names[] = {"stacked",    "shared",      "backwards", "interleaved",
                                    "transposed", "upside down", "unaligned"};

static uint32_t state = 1;
static void put_noise(char *at, int64_t size) {
  state = state * 1664525u + 1013904223u;
  double value = (double)(int32_t)state / 2147483648.0;
  float single = (float)value;
  memcpy(at, size == 4 ? (void *)&single : (void *)&value, (size_t)size);
}

static matrices make(int64_t count, int64_t rows, int64_t cols, int64_t size, int layout) {
  matrices x = {.next = rows * cols * size, .row = cols * size, .col = size};
  switch (layout) {
  case SHARED:
    x.next = 0;
    break;
  case BACKWARDS:
    x.next = -x.next - 3 * size;
    break;
  case INTERLEAVED:
    x.next = x.row, x.row *= count;
    break;
  case TRANSPOSED:
    x.row = size, x.col = rows * size;
    break;
  case UPSIDE_DOWN:
    x.row = -x.row;
    break;
  case UNALIGNED:
    x.row += 3, x.next = rows * x.row + 1;
    break;
  }
  if (count * rows * cols == 0)
    return (matrices){0};
  int64_t low = 0, high = size,
          reach[] = {(count - 1) * x.next, (rows - 1) * x.row, (cols - 1) * x.col};
  for (int i = 0; i < 3; i++)
    *(reach[i] < 0 ? &low : &high) += reach[i];
  x.block = malloc((size_t)(high - low));
  x.data = x.block - low;
  for (int64_t item = 0; item < (layout == SHARED ? 1 : count); item++)
    for (int64_t i = 0; i < rows; i++)
      for (int64_t j = 0; j < cols; j++)
        put_noise(x.data + item * x.next + i * x.row + j * x.col, size);
  return x;
}

static void multiply(int64_t size, matrices a, matrices b, char *out, int64_t count, int64_t m,
                     int64_t k, int64_t n, int threads) {
  if (size == 4)
    ck_matmul_f32(a.data, a.next, a.row, a.col, b.data, b.next, b.row, b.col, (float *)out, count,
                  m, k, n, threads);
  else
    ck_matmul_f64(a.data, a.next, a.row, a.col, b.data, b.next, b.row, b.col, (double *)out, count,
                  m, k, n, threads);
}

static void check(int64_t count, int64_t m, int64_t k, int64_t n, int64_t size, int a_layout,
                  int b_layout, int threads) {
  matrices a = make(count, m, k, size, a_layout), b = make(count, k, n, size, b_layout);
  int64_t item = m * n * size, whole = count * item + 2 * CANARY;
  char *out = malloc((size_t)whole), *expected = malloc((size_t)whole);
  memset(out, 0x5a, (size_t)whole);
  memset(expected, 0x5a, (size_t)whole);
  multiply(size, a, b, out + CANARY, count, m, k, n, threads);
  for (int64_t i = 0; i < count; i++) {
    matrices one = a, other = b;
    one.data += i * a.next, other.data += i * b.next;
    multiply(size, one, other, expected + CANARY + i * item, 1, m, k, n, 1);
  }
  cases++;
  if (memcmp(out, expected, (size_t)whole) != 0 && failures++ < 20)
    printf("not its products: %lld times (%lld,%lld)x(%lld,%lld) f%lld %s @ %s, %d threads\n",
           (long long)count, (long long)m, (long long)k, (long long)k, (long long)n,
           8 * (long long)size, names[a_layout], names[b_layout], threads);
  free(out);
  free(expected);
  free(a.block);
  free(b.block);
}

/* If there is nothing to write, neither counts nor strides nor addresses matter. */
static void check_empty(void) {
  const int64_t many = (int64_t)1 << 40, far = INT64_MAX;
  ck_matmul_f32(NULL, far, far, far, NULL, far, far, far, NULL, 0, many, many, many, 3);
  ck_matmul_f32(NULL, far, far, far, NULL, 0, far, far, NULL, many, 0, many, many, 3);
  ck_matmul_f64(NULL, far, far, far, NULL, far, far, far, NULL, many, many, many, 0, 3);
  double out[6] = {1, 1, 1, 1, 1, 1};
  ck_matmul_f64(NULL, far, far, far, NULL, 0, far, far, out, 3, 2, 0, 1, 2);
  for (int i = 0; i < 6; i++)
    if (out[i] != 0 && failures++ == 0)
      printf("a sum of nothing is not 0\n");
}

int main(void) {
  static const int64_t shapes[][4] = {{2, 1, 1, 1},      {7, 3, 5, 4},    {5, 1, 9, 17},
                                      {33, 8, 8, 8},     {4, 0, 3, 2},    {3, 2, 0, 2},
                                      {700, 15, 17, 49}, {9, 65, 70, 66}, {5, 130, 140, 150}};
  for (int64_t size = 4; size <= 8; size += 4) {
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
      for (int layouts = 0; layouts < N_LAYOUTS * N_LAYOUTS; layouts++)
        check(shapes[i][0], shapes[i][1], shapes[i][2], shapes[i][3], size, layouts % N_LAYOUTS,
              layouts / N_LAYOUTS, (int[]){1, 2, 5}[layouts % 3]);
    check(2, 514, 513, 515, size, STACKED, STACKED, 3); /* all items are divided, */
    check(5, 210, 200, 210, size, STACKED, STACKED, 3); /* the last two are, */
    check(3, 210, 200, 210, size, STACKED, STACKED, 2); /* the last is */
    check(3, 300, 600, 50, size, STACKED, SHARED, 2);
  }
  check_empty();
  printf("matmul_batch %s: %d cases, %d failures\n", ck_isa(), cases, failures);
  return failures != 0;
}
