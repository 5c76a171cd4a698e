/* A matrix of any strides, and how it is divided into parts. */
#ifndef COOKBOOK_MATRIX_H
#define COOKBOOK_MATRIX_H

#include <stdint.h>

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

#endif
