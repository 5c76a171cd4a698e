#include <cstddef>
#include <numeric>
#include <vector>

/* Aligned items are a whole number of doubles apart, so the strides can be counted in items. */
extern "C" void row_sums(const double *first, std::size_t rows, std::size_t columns,
                         std::ptrdiff_t row_stride, std::ptrdiff_t column_stride, double *sums) {
  const auto down = row_stride / static_cast<std::ptrdiff_t>(sizeof(double));
  const auto right = column_stride / static_cast<std::ptrdiff_t>(sizeof(double));
  std::vector<double> row(columns);
  for (std::size_t i = 0; i < rows; i++) {
    for (std::size_t j = 0; j < columns; j++)
      row[j] =
          first[static_cast<std::ptrdiff_t>(i) * down + static_cast<std::ptrdiff_t>(j) * right];
    sums[i] = std::accumulate(row.begin(), row.end(), 0.0);
  }
}
