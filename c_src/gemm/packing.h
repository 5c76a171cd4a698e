/* Packing: blocks of the operands are copied into the order in which the microkernel reads them.
 * Included like microkernel.h, which it includes.
 *
 *   b, KC x NC           packed
 *   0 1 | 2 3            0 1 4 5 8 9 | 2 3 6 7 ..    panel after panel, each as wide as a tile
 *   4 5 | 6 7    ->
 *   8 9 | ..
 */
#include "microkernel.h"

/* Copy `from` into rows that are `pitch` elements apart. Whole vectors are written. */
static TARGET void NAME(pack_a)(void *begin, int64_t pitch, int64_t rows, int64_t cols,
                                matrix from) {
  T *to = begin;
  if (from.col == sizeof(T)) {
    for (int64_t r = 0; r < rows; r++)
      for (int64_t c = 0; c < cols; c += LANES)
        NAME(put)(to + r * pitch + c, LANES,
                  NAME(get)(from.data + r * from.row + c * from.col, (int)min(LANES, cols - c)));
    return;
  }
  for (int64_t i = 0; i < rows; i += 16) /* rows that may share a cache line */
    for (int64_t c = 0; c < cols; c++)
      for (int64_t r = i; r < min(rows, i + 16); r++)
        to[r * pitch + c] = *(const any_T *)(from.data + r * from.row + c * from.col);
}

/* Copy b (kc, n) into panels as wide as the tiles that will read them, PACKING_ROWS rows at a time so
 * that each row is read along its length. */
static inline TARGET void NAME(pack_b)(void *panels, int64_t kc, int64_t n, matrix b) {
  int64_t width, height;
  for (int64_t k = 0; k < kc; k += height) {
    height = b.col == sizeof(T) ? min(PACKING_ROWS, kc - k) : kc;
    for (int64_t j = 0; j < n; j += width) {
      width = next_part(ceil_div(n - j, LANES), NR_VECTORS, 1) * LANES;
      NAME(pack_a)((T *)panels + j * kc + k * width, width, height, min(width, n - j), at(b, k, j));
    }
  }
}
