/* test_matmul.c: ck_matmul_* against a long double reference: each element is within its error
 * bound, equal to the chain of fused multiply-adds on any number of threads; nothing else written. */
#include "cookbook.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CANARY = 64 };

static int failures, cases;

static void fail(const char *what, const char *layout, int64_t m, int64_t k, int64_t n,
                 size_t size) {
  if (failures++ < 20)
    printf("%s: (%lld,%lld)x(%lld,%lld) f%zu %s\n", what, (long long)m, (long long)k, (long long)k,
           (long long)n, 8 * size, layout);
}

/* A matrix in a block of exactly the bytes it spans, so that sanitizers see an overrun. */
typedef struct {
  char *block, *data;
  int64_t row, col;
} matrix;

enum { PLAIN, TRANSPOSED, REVERSED, UNALIGNED, GAPS, REPEATED_ROWS, REPEATED_COLS, N_LAYOUTS };
static const char *const names[] = {"plain", "transposed", "reversed",  "unaligned",
                                    "gaps",  "one row",    "one column"};

static uint32_t state = 1;
static double noise(void) {
  state = state * 1664525u + 1013904223u;
  return (double)(int32_t)state / 2147483648.0;
}

static double element(const char *at, size_t size) {
  float single;
  double value;
  memcpy(size == 4 ? (void *)&single : (void *)&value, at, size);
  return size == 4 ? (double)single : value;
}

static matrix make(int64_t rows, int64_t cols, int64_t size, int layout) {
  matrix x = {.row = cols * size, .col = size};
  int64_t lead = 0;
  switch (layout) {
  case TRANSPOSED:
    x.row = size, x.col = rows * size;
    break;
  case REVERSED:
    x.row = -cols * size, x.col = -size;
    break;
  case UNALIGNED:
    lead = 1, x.row = cols * size + 3;
    break;
  case GAPS:
    x.col = 3 * size + 1, x.row = -(cols * x.col + 5);
    break;
  case REPEATED_ROWS:
    x.row = 0;
    break;
  case REPEATED_COLS:
    x.row = size, x.col = 0;
    break;
  }
  int64_t down = rows > 0 ? (rows - 1) * x.row : 0, right = cols > 0 ? (cols - 1) * x.col : 0;
  int64_t span = rows > 0 && cols > 0 ? llabs(down) + llabs(right) + size : 0;
  x.block = malloc((size_t)(lead + span));
  x.data = x.block + lead - (down < 0 ? down : 0) - (right < 0 ? right : 0);
  for (int64_t i = 0; i < rows; i++)
    for (int64_t j = 0; j < cols; j++) {
      double value = noise();
      float single = (float)value;
      memcpy(x.data + i * x.row + j * x.col, size == 4 ? (void *)&single : (void *)&value,
             (size_t)size);
    }
  return x;
}

static void check(int64_t m, int64_t k, int64_t n, size_t size, int a_layout, int b_layout) {
  char layout[64];
  snprintf(layout, sizeof layout, "%s @ %s", names[a_layout], names[b_layout]);
  int threads = cases++ % 3 + 1;
  matrix a = make(m, k, (int64_t)size, a_layout), b = make(k, n, (int64_t)size, b_layout);
  size_t out_size = (size_t)(m * n) * size;
  char *out = malloc(out_size + 2 * CANARY);
  memset(out, 0x5a, out_size + 2 * CANARY);
  if (size == 4)
    ck_matmul_f32(a.data, 0, a.row, a.col, b.data, 0, b.row, b.col, (float *)(out + CANARY), 1, m,
                  k, n, threads);
  else
    ck_matmul_f64(a.data, 0, a.row, a.col, b.data, 0, b.row, b.col, (double *)(out + CANARY), 1, m,
                  k, n, threads);
  for (size_t i = 0; i < CANARY; i++)
    if (out[i] != 0x5a || out[CANARY + out_size + i] != 0x5a) {
      fail("canary overwritten", layout, m, k, n, size);
      break;
    }
  double unit = size == 4 ? FLT_EPSILON / 2 : DBL_EPSILON / 2;
  int64_t step = (m * n * k / 500000) | 1; /* a sample of large products */
  for (int64_t at = 0; at < m * n; at += step) {
    const char *a_row = a.data + at / n * a.row, *b_col = b.data + at % n * b.col;
    long double exact = 0, magnitude = 0;
    double chain = 0;
    for (int64_t p = 0; p < k; p++) {
      double x = element(a_row + p * a.col, size), y = element(b_col + p * b.row, size);
      exact += (long double)x * y;
      magnitude += fabsl((long double)x * y);
      chain = size == 4 ? (double)fmaf((float)x, (float)y, (float)chain) : fma(x, y, chain);
    }
    double got = element(out + CANARY + (size_t)at * size, size);
    if (!(fabsl(got - exact) <= (long double)k * unit * magnitude)) {
      fail("beyond the error bound", layout, m, k, n, size);
      break;
    }
    if (got != chain) {
      fail("not the chain of fused multiply-adds", layout, m, k, n, size);
      break;
    }
  }
  free(out);
  free(a.block);
  free(b.block);
}

/* inf and nan propagate, and padded lanes must not introduce any. */
static void check_specials(void) {
  float a[9] = {1, 0, 0, 0, INFINITY, 0, 0, 0, 1}, b[9] = {1, 2, 3, 4, 5, 6, 7, 8, NAN}, out[9];
  ck_matmul_f32(a, 0, 12, 4, b, 0, 12, 4, out, 1, 3, 3, 3, 1);
  float want[9] = {1, 2, NAN, INFINITY, INFINITY, NAN, 7, 8, NAN};
  for (int i = 0; i < 9; i++)
    if (!(out[i] == want[i] || (isnan(out[i]) && isnan(want[i]))))
      fail("inf or nan lost", "specials", 3, 3, 3, 4);
}

int main(void) {
  static const int64_t edges[] = {1, 2, 5, 6, 7, 8, 9, 15, 16, 17, 24, 31, 47, 48, 49, 97};
  static const int64_t shapes[][3] = {
      {0, 0, 0},       {0, 3, 5},       {3, 0, 5},       {3, 5, 0},      {1, 1, 1},
      {1, 0, 1},       {127, 131, 149}, {128, 128, 128}, {300, 7, 299},  {1, 300, 1},
      {1, 65, 300},    {33, 64, 33},    {32, 1025, 33},  {257, 63, 129}, {2, 1200, 3},
      {300, 300, 301}, {5, 2049, 7},    {31, 529, 555}};
  /* Sizes that repay several threads, and are cut into columns, into rows and both ways. */
  static const int64_t large[][3] = {{515, 513, 521},    {70, 2100, 1000}, {9, 2100, 1000},
                                     {1009, 1031, 1021}, {40, 1025, 4300}, {2000, 300, 65},
                                     {2000, 300, 130}};
  for (size_t size = 4; size <= 8; size += 4) {
    int turn = 0;
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++)
      for (size_t j = 0; j < sizeof edges / sizeof *edges; j++, turn++)
        check(edges[i], edges[(i + j) % 7 + (size_t)(turn % 3)], edges[j], size, turn % N_LAYOUTS,
              turn / N_LAYOUTS % N_LAYOUTS);
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
      for (int layouts = 0; layouts < N_LAYOUTS * N_LAYOUTS; layouts += i < 6 ? 1 : 5)
        check(shapes[i][0], shapes[i][1], shapes[i][2], size, layouts % N_LAYOUTS,
              layouts / N_LAYOUTS);
    for (size_t i = 0; i < sizeof large / sizeof *large; i++) {
      check(large[i][0], large[i][1], large[i][2], size, PLAIN, PLAIN);
      check(large[i][0], large[i][1], large[i][2], size, TRANSPOSED, GAPS);
      check(large[i][0], large[i][1], large[i][2], size, UNALIGNED, TRANSPOSED);
      check(large[i][0], large[i][1], large[i][2], size, TRANSPOSED, UNALIGNED);
    }
  }
  check_specials();
  printf("matmul %s: %d cases, %d failures\n", ck_isa(), cases, failures);
  return failures != 0;
}
