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

enum { OK, NULL_POINTER, WRONG_SHAPE };

extern "C" int matmul(const matrix *a, const matrix *b, matrix *c) {
  // TODO
  return OK;
}
