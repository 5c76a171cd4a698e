/* Products of batches of matrices. */
#pragma once

#include <stdint.h>

typedef struct {
  const char *data;
  int64_t next, row, col; /* strides in bytes; `next` is the distance to the next matrix */
} matrices;

/* Compute out (count, m, n) = a (count, m, k) @ b (count, k, n), of elements of `size` bytes. */
void ck_multiply_batch(int64_t size, matrices a, matrices b, char *out, int64_t count, int64_t m,
                       int64_t k, int64_t n, int threads);
