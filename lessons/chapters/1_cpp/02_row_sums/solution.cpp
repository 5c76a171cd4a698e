#include <cstddef>

namespace {
struct matrix_view {
  const std::byte *data;
  std::ptrdiff_t row_stride, column_stride; // in bytes

  double operator()(std::ptrdiff_t i, std::ptrdiff_t j) const {
    return *reinterpret_cast<const double *>(data + i * row_stride + j * column_stride);
  }
};
} // namespace

extern "C" void row_sums(const double *first, std::size_t rows, std::size_t columns,
                         std::ptrdiff_t row_stride, std::ptrdiff_t column_stride, double *sums) {
  matrix_view a{reinterpret_cast<const std::byte *>(first), row_stride, column_stride};
  for (std::size_t i = 0; i < rows; i++) {
    double sum = 0;
    for (std::size_t j = 0; j < columns; j++)
      sum += a(i, j);
    sums[i] = sum;
  }
}
