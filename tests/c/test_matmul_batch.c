/* test_matmul_batch.c: ck_matmul_* of a batch gives the bytes of its single products, however items,
 * rows and columns are divided among threads. */
#include "cookbook.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures, cases;

static void put_noise(char *at, int64_t n, int64_t size) {
  static uint32_t state = 1;
  for (; n > 0; n--, at += size) {
    state = state * 1664525u + 1013904223u;
    double value = (double)(int32_t)state / 2147483648.0;
    float single = (float)value;
    memcpy(at, size == 4 ? (void *)&single : (void *)&value, (size_t)size);
  }
}

static void multiply(int64_t size, char *a, char *b, int64_t next_b, char *out, int64_t count,
                     int64_t m, int64_t k, int64_t n, int threads) {
  int64_t row = k * size, next = m * row;
  if (size == 4)
    ck_matmul_f32(a, next, row, 4, b, next_b, n * 4, 4, (float *)out, count, m, k, n, threads);
  else
    ck_matmul_f64(a, next, row, 8, b, next_b, n * 8, 8, (double *)out, count, m, k, n, threads);
}

/* All items may have the same b. */
static void check(int64_t count, int64_t m, int64_t k, int64_t n, int64_t size, int shared,
                  int threads) {
  int64_t item = m * n * size, next_b = shared ? 0 : k * n * size;
  size_t whole = (size_t)(count * item);
  char *a = malloc((size_t)(count * m * k * size)), *b = malloc((size_t)(count * k * n * size));
  char *out = malloc(whole), *expected = malloc(whole);
  put_noise(a, count * m * k, size);
  put_noise(b, count * k * n, size);
  multiply(size, a, b, next_b, out, count, m, k, n, threads);
  for (int64_t i = 0; i < count; i++)
    multiply(size, a + i * m * k * size, b + i * next_b, 0, expected + i * item, 1, m, k, n, 1);
  cases++;
  if (memcmp(out, expected, whole) != 0 && failures++ < 20)
    printf("not its products: %lld times (%lld,%lld)x(%lld,%lld) f%lld, %d threads\n",
           (long long)count, (long long)m, (long long)k, (long long)k, (long long)n,
           8 * (long long)size, threads);
  free(a), free(b), free(out), free(expected);
}

int main(void) {
  for (int64_t size = 4; size <= 8; size += 4) {
    for (int threads = 1; threads <= 5; threads++) {
      check(7, 3, 5, 4, size, 0, threads);
      check(700, 15, 17, 49, size, threads % 2, threads);
      check(5, 130, 140, 150, size, threads % 2, threads);
    }
    check(2, 514, 513, 515, size, 0, 3); /* all items are divided, */
    check(5, 210, 200, 210, size, 0, 3); /* the last two are, */
    check(3, 210, 200, 210, size, 0, 2); /* the last is */
    check(3, 300, 600, 50, size, 1, 2);
    check(1, 1009, 1031, 1021, size, 0, 4); /* single products, cut both ways, */
    check(1, 40, 1025, 4300, size, 0, 3);   /* into columns */
    check(1, 2000, 300, 65, size, 0, 3);    /* and into rows */
  }
  printf("matmul_batch %s: %d cases, %d failures\n", ck_isa(), cases, failures);
  return failures != 0;
}
