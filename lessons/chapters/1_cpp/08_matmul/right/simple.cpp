#include "matrix.h"

enum { OK, NULL_POINTER, WRONG_SHAPE };

/* Three loops: right, and what blocks are measured against. */
extern "C" int matmul(const matrix *a, const matrix *b, matrix *c) {
  if (a == nullptr || b == nullptr || c == nullptr)
    return NULL_POINTER;
  if (a->columns != b->rows || a->rows != c->rows || b->columns != c->columns)
    return WRONG_SHAPE;
  auto at = [](const matrix *m, ptrdiff_t i, ptrdiff_t j) {
    return (double *)((char *)m->data + i * m->row_stride + j * m->column_stride);
  };
  for (size_t i = 0; i < c->rows; i++)
    for (size_t j = 0; j < c->columns; j++) {
      double sum = 0;
      for (size_t k = 0; k < a->columns; k++)
        sum += *at(a, i, k) * *at(b, k, j);
      *at(c, i, j) = sum;
    }
  return OK;
}
