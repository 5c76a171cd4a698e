/* Given: a matrix of doubles that somebody else owns. It is C, so that C and Python can make one. */
#pragma once
#include <stddef.h>

struct matrix {
  double *data; /* item (0, 0) */
  size_t rows, columns;
  ptrdiff_t row_stride, column_stride; /* in bytes, as in NumPy; any sign, and zero */
};
