/* matmul for one element type T and one instruction set ISA. matmul.c includes this file once for
 * each, having defined VECTOR, the bytes of a register; TARGET, the attribute that lets a function
 * use the instruction set; and for NAME: fma(x, y, sum), and load(p, lanes) and store(p, lanes, v)
 * for a vector of which only the first `lanes` exist in memory. */
#define LANES (VECTOR / (int)sizeof(T))
#define ROWS (VECTOR == 64 ? 8 : 6) /* the largest tile: what fits 32 registers, or 16 */
#define COLS (VECTOR == 64 ? 3 : 2) /* in vectors */
#define vector NAME(vector)
#define any_vector NAME(any_vector)
#define any_T NAME(any)

typedef T vector __attribute__((vector_size(VECTOR)));
typedef T any_vector __attribute__((vector_size(VECTOR), aligned(1), may_alias));
typedef T any_T __attribute__((aligned(1), may_alias));

INLINE vector NAME(get)(const void *p, int lanes) {
  if (lanes == LANES)
    return *(const any_vector *)p;
  return NAME(load)(p, lanes);
}

INLINE void NAME(put)(void *p, int lanes, vector v) {
  if (lanes == LANES)
    *(any_vector *)p = v;
  else
    NAME(store)(p, lanes, v);
}

/* out (rows, cols) += a (rows, depth) @ b (depth, cols), or = when `first`. cols counts vectors;
 * the last has `lanes` lanes. Inlined where rows and cols are constants, sum lives in registers. */
INLINE void NAME(tile)(int rows, int cols, int lanes, int64_t depth, const char *a, int64_t a_row,
                       int64_t a_k, const char *b, int64_t b_k, T *out, int64_t n, bool first) {
#define PRESENT(c) ((c) < cols - 1 ? LANES : lanes)
  vector sum[ROWS][COLS], b_row[COLS];
  EACH(r, rows) EACH(c, cols) {
    sum[r][c] = first ? (vector){0} : NAME(get)(out + r * n + c * LANES, PRESENT(c));
  }
  for (int64_t k = 0; k < depth; k++) {
    EACH(c, cols) { b_row[c] = NAME(get)(b + k * b_k + c * VECTOR, PRESENT(c)); }
    EACH(r, rows) {
      vector scale = *(const any_T *)(a + r * a_row + k * a_k) - (vector){0}; /* in every lane */
      EACH(c, cols) { sum[r][c] = NAME(fma)(scale, b_row[c], sum[r][c]); }
    }
  }
  EACH(r, rows) EACH(c, cols) { NAME(put)(out + r * n + c * LANES, PRESENT(c), sum[r][c]); }
#undef PRESENT
}

/* Copies what a tile reads into the order it is read: for each k, `count` elements that lie
 * `stride` bytes apart, in `slots` slots. */
static TARGET void NAME(pack)(T *panel, int slots, int count, int64_t depth, const char *from,
                              int64_t stride, int64_t k_stride) {
  for (int64_t k = 0; k < depth; k++)
    if (stride == sizeof(T))
      memcpy(panel + k * slots, from + k * k_stride, (size_t)count * sizeof(T));
    else
      for (int i = 0; i < count; i++)
        panel[k * slots + i] = *(const any_T *)(from + i * stride + k * k_stride);
}

/* out[i0..i1, j0..j1] over k..k+depth. The first tile that reads a panel has it packed. */
static TARGET void NAME(block)(const task *t, int64_t i0, int64_t i1, int64_t j0, int64_t j1,
                               int64_t k, int64_t depth) {
  int cols, rows;
  for (int64_t j = j0; j < j1; j += cols * LANES) {
    cols = (int)part((j1 - j + LANES - 1) / LANES, COLS);
    int count = (int)least(cols * LANES, j1 - j), lanes = count - (cols - 1) * LANES;
    const char *b = t->b.data + k * t->b.row + j * t->b.col;
    int64_t b_k = t->b.row;
    if (t->b_panels) {
      T *panel = (T *)t->b_panels + (j - j0) * depth;
      if (i0 == 0)
        NAME(pack)(panel, cols * LANES, count, depth, b, t->b.col, t->b.row);
      b = (const char *)panel;
      b_k = cols * VECTOR;
    }
    for (int64_t i = i0; i < i1; i += rows) {
      rows = (int)part(i1 - i, ROWS);
      const char *a = t->a.data + i * t->a.row + k * t->a.col;
      int64_t a_row = t->a.row, a_k = t->a.col;
      if (t->a_panels) {
        T *panel = (T *)t->a_panels + (i - i0) * depth;
        if (j == j0)
          NAME(pack)(panel, rows, rows, depth, a, a_row, a_k);
        a = (const char *)panel;
        a_row = sizeof(T);
        a_k = rows * (int)sizeof(T);
      }
      T *out = (T *)t->out + i * t->n + j;
#define TILE(R, C)                                                                                 \
  case R * 4 + C:                                                                                  \
    if (R <= ROWS && C <= COLS)                                                                    \
      NAME(tile)(R, C, lanes, depth, a, a_row, a_k, b, b_k, out, t->n, k == 0);                    \
    break;
#define TILES(R) TILE(R, 1) TILE(R, 2) TILE(R, 3)
      switch (rows * 4 + cols) {
        TILES(1) TILES(2) TILES(3) TILES(4) TILES(5) TILES(6) TILES(7) TILES(8)
      }
    }
  }
}

static TARGET void NAME(matmul)(const task *t) {
  int64_t depth, width, height;
  for (int64_t k = 0; k < t->k; k += depth) {
    depth = part(t->k - k, t->k_most);
    for (int64_t j = 0; j < t->n; j += width) {
      width = part((t->n - j + LANES - 1) / LANES, (t->n_most + LANES - 1) / LANES) * LANES;
      width = least(width, t->n - j);
      for (int64_t i = 0; i < t->m; i += height) {
        height = part(t->m - i, t->m_most);
        NAME(block)(t, i, i + height, j, j + width, k, depth);
      }
    }
  }
}
#undef LANES
#undef ROWS
#undef COLS
#undef TILE
#undef TILES
#undef vector
#undef any_vector
#undef any_T
#undef T
