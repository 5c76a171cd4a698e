// Write matmul: c = a @ b, in blocks, for matrices with any strides.
//
//   struct matrix a = {data_a, 2, 3, 24, 8}, b = {data_b, 3, 4, 32, 8}, c = {data_c, 2, 4, 32, 8};
//   matmul(&a, &b, &c);  // OK
//
// It returns OK, NULL_POINTER if one of the three pointers is null, or WRONG_SHAPE unless a is
// m x k, b is k x n and c is m x n; an error leaves c unchanged. Any size may be 0; with k = 0 all
// items of c become 0. Their old values do not matter. c overlaps neither a nor b. All are aligned.
//
// In blocks: copy a block of b, such as 64 x 64 items, to an array without gaps, and use it for all
// rows of a before you go on to the next block. It then stays in the cache (see the chapter's text).
// Sizes need not be multiples of the block's.
#include "matrix.h"

// BEGIN SOLUTION
#include <algorithm>
#include <cstddef>

// END SOLUTION
enum { OK, NULL_POINTER, WRONG_SHAPE };

//: extern "C" int matmul(const matrix *a, const matrix *b, matrix *c) {
//:   // TODO
// BEGIN SOLUTION
namespace {
constexpr std::size_t BLOCK = 64;

double &item(const matrix &m, std::size_t i, std::size_t j) {
  auto *data = reinterpret_cast<std::byte *>(m.data);
  auto row = static_cast<std::ptrdiff_t>(i), column = static_cast<std::ptrdiff_t>(j);
  return *reinterpret_cast<double *>(data + row * m.row_stride + column * m.column_stride);
}

// Add a[:, k0:k1] @ b[k0:k1, j0:j1] to c[:, j0:j1].
void add_block(const matrix &a, const matrix &b, matrix &c, std::size_t k0, std::size_t k1,
               std::size_t j0, std::size_t j1) {
  double packed[BLOCK][BLOCK]; // 32 KiB: the block of b, without gaps
  for (std::size_t k = k0; k < k1; k++)
    for (std::size_t j = j0; j < j1; j++)
      packed[k - k0][j - j0] = item(b, k, j);
  for (std::size_t i = 0; i < a.rows; i++) {
    double sums[BLOCK] = {};
    for (std::size_t k = k0; k < k1; k++) {
      const double factor = item(a, i, k);
      for (std::size_t j = 0; j < j1 - j0; j++)
        sums[j] += factor * packed[k - k0][j];
    }
    for (std::size_t j = j0; j < j1; j++)
      item(c, i, j) += sums[j - j0];
  }
}
} // namespace

extern "C" int matmul(const matrix *a, const matrix *b, matrix *c) {
  if (!a || !b || !c)
    return NULL_POINTER;
  if (a->columns != b->rows || c->rows != a->rows || c->columns != b->columns)
    return WRONG_SHAPE;
  for (std::size_t i = 0; i < c->rows; i++)
    for (std::size_t j = 0; j < c->columns; j++)
      item(*c, i, j) = 0;
  for (std::size_t j = 0; j < b->columns; j += BLOCK)
    for (std::size_t k = 0; k < b->rows; k += BLOCK)
      add_block(*a, *b, *c, k, std::min(k + BLOCK, b->rows), j, std::min(j + BLOCK, b->columns));
  // END SOLUTION
  return OK;
}
