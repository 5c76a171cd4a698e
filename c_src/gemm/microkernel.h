/* matmul for one element type T and one instruction set ISA. gemm.c includes this once for each,
 * having defined VECTOR, the bytes of a register; ROWS and COLS, the largest tile, in rows and in
 * vectors; TARGET, the attribute that lets a function use the instruction set; FMA(x, y, sum); and
 * LOAD(p, lanes) and STORE(p, lanes, v) for a vector of which only the first `lanes` exist. */

typedef T vector __attribute__((vector_size(VECTOR)));
typedef T any_vector __attribute__((vector_size(VECTOR), aligned(1), may_alias));
typedef T any_T __attribute__((aligned(1), may_alias));

INLINE vector NAME(get)(const void *p, int lanes) {
  if (lanes == LANES)
    return *(const any_vector *)p;
  return LOAD(p, lanes);
}

INLINE void NAME(put)(void *p, int lanes, vector v) {
  if (lanes == LANES)
    *(any_vector *)p = v;
  else
    STORE(p, lanes, v);
}

/* out (rows, cols) += a (rows, depth) @ b (depth, cols), or = when `first`. cols counts vectors;
 * the last has `lanes` lanes. Inlined where rows and cols are constants, sum lives in registers. */
INLINE void NAME(tile)(int rows, int cols, int lanes, int64_t depth, matrix a, const char *b,
                       int64_t b_row, T *out, int64_t n, bool first) {
#define PRESENT(c) ((c) < cols - 1 ? LANES : lanes)
  vector sum[ROWS][COLS], row[COLS];
  EACH(r, rows) EACH(c, cols) {
    sum[r][c] = first ? (vector){0} : NAME(get)(out + r * n + c * LANES, PRESENT(c));
    if (!first)
      __builtin_prefetch(out + r * n + (cols + c) * LANES); /* where the next tile begins */
  }
  for (int64_t k = 0; k < depth; k++, a.data += a.col, b += b_row) {
    EACH(c, cols) {
      row[c] = NAME(get)(b + c * VECTOR, PRESENT(c));
      __builtin_prefetch(b + AHEAD * b_row + c * VECTOR);
    }
    EACH(r, rows) {
      vector scale = *(const any_T *)(a.data + r * a.row) - (vector){0}; /* in every lane */
      EACH(c, cols) { sum[r][c] = FMA(scale, row[c], sum[r][c]); }
    }
  }
  __asm__("" : "+r"(out), "+r"(n)); /* or 24 addresses are kept from above, at the cost of moves */
  EACH(r, rows) EACH(c, cols) { NAME(put)(out + r * n + c * LANES, PRESENT(c), sum[r][c]); }
#undef PRESENT
}

/* out (m, n) of rows `stride` long (+)= a (m, depth) @ b (depth, n). b.col is the item size, or 0:
 * then b has been packed, panel after panel. */
static TARGET void NAME(block)(int64_t m, int64_t depth, int64_t n, const matrix *a,
                               const matrix *b, void *out, int64_t stride, bool first) {
  int cols, rows;
  for (int64_t i = 0; i < m; i += rows) {
    rows = (int)part(m - i, ROWS, 1);
    matrix strip = at(*a, i, 0);
    for (int64_t j = 0; j < n; j += cols * LANES) {
      cols = (int)part(pieces(n - j, LANES), COLS, 1);
      int lanes = (int)least(LANES, n - j - (cols - 1) * LANES);
      const char *panel = b->data + j * (b->col ? b->col : depth * (int64_t)sizeof(T));
      int64_t b_row = b->col ? b->row : cols * VECTOR;
      T *to = (T *)out + i * stride + j;
#define TILE(R, C)                                                                                 \
  case R * 4 + C:                                                                                  \
    if (R == ROWS && C == COLS && lanes == LANES)                                                  \
      NAME(tile)(ROWS, COLS, LANES, depth, strip, panel, b_row, to, stride, first);                \
    else if (R <= ROWS && C <= COLS)                                                               \
      NAME(tile)(R, C, lanes, depth, strip, panel, b_row, to, stride, first);                      \
    break;
#define TILES(R) TILE(R, 1) TILE(R, 2) TILE(R, 3)
      switch (rows * 4 + cols) {
        TILES(1) TILES(2) TILES(3) TILES(4) TILES(5) TILES(6) TILES(7) TILES(8)
      }
    }
  }
}
#undef TILE
#undef TILES
