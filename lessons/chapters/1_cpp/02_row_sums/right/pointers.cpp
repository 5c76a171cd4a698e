#include <cstddef>

/* Two pointers that move by the strides. */
extern "C" void row_sums(const double *first, size_t rows, size_t columns, ptrdiff_t row_stride,
                         ptrdiff_t column_stride, double *sums) {
  const char *row = (const char *)first;
  for (size_t i = 0; i < rows; i++, row += row_stride) {
    const char *item = row;
    sums[i] = 0;
    for (size_t j = 0; j < columns; j++, item += column_stride)
      sums[i] += *(const double *)item;
  }
}
