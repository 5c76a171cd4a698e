/* Copies of blocks of the operands, in the order in which the tiles read them, in whole vectors.
 * Included like microkernel.h, and after it. */

/* Into rows of `pitch` elements, of which it writes whole vectors. */
static TARGET void NAME(copy)(void *begin, int64_t pitch, int64_t rows, int64_t cols, matrix from) {
  T *to = begin;
  if (from.col == sizeof(T)) {
    for (int64_t r = 0; r < rows; r++)
      for (int64_t c = 0; c < cols; c += LANES)
        NAME(put)(to + r * pitch + c, LANES,
                  NAME(get)(from.data + r * from.row + c * from.col, (int)least(LANES, cols - c)));
    return;
  }
  for (int64_t i = 0; i < rows; i += 16) /* rows that may share a line of the cache */
    for (int64_t c = 0; c < cols; c++)
      for (int64_t r = i; r < least(rows, i + 16); r++)
        to[r * pitch + c] = *(const any_T *)(from.data + r * from.row + c * from.col);
}

/* b (depth, n) into panels, each as wide as the tiles that will read it; a few rows at a time, so that
 * they are read along their length. */
static TARGET void NAME(pack)(void *panels, int64_t depth, int64_t n, matrix b) {
  int64_t width, height;
  for (int64_t k = 0; k < depth; k += height) {
    height = b.col == sizeof(T) ? least(SLAB, depth - k) : depth;
    for (int64_t j = 0; j < n; j += width) {
      width = part(pieces(n - j, LANES), COLS, 1) * LANES;
      NAME(copy)((T *)panels + j * depth + k * width, width, height, least(width, n - j),
                 at(b, k, j));
    }
  }
}
