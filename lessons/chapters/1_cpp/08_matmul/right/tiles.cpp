#include "matrix.h"

#include <algorithm>
#include <cstddef>

enum { OK, NULL_POINTER, WRONG_SHAPE };

static double *at(const matrix *m, std::size_t i, std::size_t j) {
  return reinterpret_cast<double *>(reinterpret_cast<char *>(m->data) +
                                    static_cast<std::ptrdiff_t>(i) * m->row_stride +
                                    static_cast<std::ptrdiff_t>(j) * m->column_stride);
}

/* Square tiles of c, with both factors read in place. */
extern "C" int matmul(const matrix *a, const matrix *b, matrix *c) {
  constexpr std::size_t T = 32;
  if (!a || !b || !c)
    return NULL_POINTER;
  const std::size_t m = a->rows, k = a->columns, n = b->columns;
  if (b->rows != k || c->rows != m || c->columns != n)
    return WRONG_SHAPE;
  for (std::size_t i0 = 0; i0 < m; i0 += T)
    for (std::size_t j0 = 0; j0 < n; j0 += T) {
      double tile[T][T] = {};
      const std::size_t i1 = std::min(T, m - i0), j1 = std::min(T, n - j0);
      for (std::size_t p = 0; p < k; p++)
        for (std::size_t i = 0; i < i1; i++)
          for (std::size_t j = 0; j < j1; j++)
            tile[i][j] += *at(a, i0 + i, p) * *at(b, p, j0 + j);
      for (std::size_t i = 0; i < i1; i++)
        for (std::size_t j = 0; j < j1; j++)
          *at(c, i0 + i, j0 + j) = tile[i][j];
    }
  return OK;
}
