// Write row_sums: the sum of each row of a matrix of doubles, wherever its items lie.
//
// Item (i, j) lies i * row_stride + j * column_stride BYTES after the first item, as in NumPy.
// A stride can be negative (a[::-1]) and zero (np.broadcast_to). Every item is aligned.
//
//   double values[] = {1, 2, 3, 4, 5, 6}, sums[3];
//   row_sums(values, 2, 3, 24, 8, sums);  // {6, 15}: two rows of three
//   row_sums(values, 3, 2, 8, 24, sums);  // {5, 7, 9}: its transpose, without a copy
//   row_sums(values + 5, 2, 3, -24, -8, sums);  // {15, 6}: from the end to the front
//
// The sum of a row without items is 0. Only the items and `sums` may be touched.
#include <cstddef>

// BEGIN SOLUTION
namespace {
struct matrix_view {
  const std::byte *data;
  std::ptrdiff_t row_stride, column_stride; // in bytes

  double operator()(std::ptrdiff_t i, std::ptrdiff_t j) const {
    return *reinterpret_cast<const double *>(data + i * row_stride + j * column_stride);
  }
};
} // namespace

// END SOLUTION
extern "C" void row_sums(const double *first, std::size_t rows, std::size_t columns,
                         std::ptrdiff_t row_stride, std::ptrdiff_t column_stride, double *sums) {
  //: // TODO: this is right only for a C-contiguous matrix
  //: for (std::size_t i = 0; i < rows; i++) {
  //:   sums[i] = 0;
  //:   for (std::size_t j = 0; j < columns; j++)
  //:     sums[i] += first[i * columns + j];
  // BEGIN SOLUTION
  matrix_view a{reinterpret_cast<const std::byte *>(first), row_stride, column_stride};
  for (std::size_t i = 0; i < rows; i++) {
    double sum = 0;
    for (std::size_t j = 0; j < columns; j++)
      sum += a(i, j);
    sums[i] = sum;
    // END SOLUTION
  }
}
