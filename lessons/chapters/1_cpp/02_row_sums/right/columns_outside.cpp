#include <cstdint>
#include <cstring>
#include <span>

/* Column after column, with addresses as integers. */
extern "C" void row_sums(const double *first, std::size_t rows, std::size_t columns,
                         std::ptrdiff_t row_stride, std::ptrdiff_t column_stride, double *sums) {
  for (double &sum : std::span(sums, rows))
    sum = 0;
  for (std::size_t j = 0; j < columns; j++)
    for (std::size_t i = 0; i < rows; i++) {
      auto address = reinterpret_cast<std::uintptr_t>(first) + i * row_stride + j * column_stride;
      double value;
      std::memcpy(&value, reinterpret_cast<const void *>(address), sizeof value);
      sums[i] += value;
    }
}
