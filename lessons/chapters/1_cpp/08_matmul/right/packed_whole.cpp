#include "matrix.h"

#include <algorithm>
#include <new>
#include <vector>

enum { OK, NULL_POINTER, WRONG_SHAPE, NO_MEMORY };

namespace {
template <class T> struct view {
  T *data;
  ptrdiff_t down, right; // in items
  T &operator()(ptrdiff_t i, ptrdiff_t j) const { return data[i * down + j * right]; }
};

view<double> seen(const matrix &m) {
  return {m.data, m.row_stride / ptrdiff_t(sizeof(double)),
          m.column_stride / ptrdiff_t(sizeof(double))};
}

// All of b's columns in panels of W, and tiles of a row by W columns with their sums in registers.
void multiply(const matrix &a, const matrix &b, matrix &c) {
  constexpr size_t W = 8;
  auto from = seen(a), with = seen(b), to = seen(c);
  std::vector<double> panel(b.rows * W);
  for (size_t j0 = 0; j0 < b.columns; j0 += W) {
    size_t wide = std::min(W, b.columns - j0);
    for (size_t k = 0; k < b.rows; k++)
      for (size_t j = 0; j < W; j++)
        panel[k * W + j] = j < wide ? with(k, j0 + j) : 0.0;
    for (size_t i = 0; i < a.rows; i++) {
      double sums[W] = {};
      for (size_t k = 0; k < b.rows; k++)
        for (size_t j = 0; j < W; j++)
          sums[j] += from(i, k) * panel[k * W + j];
      for (size_t j = 0; j < wide; j++)
        to(i, j0 + j) = sums[j];
    }
  }
}
} // namespace

extern "C" int matmul(const matrix *a, const matrix *b, matrix *c) try {
  if (!(a && b && c))
    return NULL_POINTER;
  if (a->columns != b->rows || a->rows != c->rows || b->columns != c->columns)
    return WRONG_SHAPE;
  multiply(*a, *b, *c);
  return OK;
} catch (const std::bad_alloc &) {
  return NO_MEMORY;
}
