/* The microkernel and the macrokernel for one element type T and one instruction set ISA.
 *
 * every_isa.h has it included once for each pair, and has defined VECTOR, the bytes of a register; MR and NR_VECTORS, the rows and the vectors of the largest tile of out; TARGET, the attribute that
 * lets a function use the instruction set; FMA(x, y, sum); and LOAD(p, lanes) and STORE(p, lanes, v)
 * for a vector of which only the first `lanes` lanes are in memory.
 *
 *                        b   [ b0 ][ b1 ][ b2 ]      one row of b: NR_VECTORS vectors
 *        a   | a0 |         [s00][s01][s02]
 *            | a1 |  ->     [s10][s11][s12]          MR x NR_VECTORS sums, all in registers;
 *            | .. |         [ .. ]                   s[r][c] = a[r] * b[c] + s[r][c], for each k
 */

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

/* Compute out (rows, cols) += a (rows, kc) @ b (kc, cols), or = if `first`. cols counts vectors, and
 * the last has `lanes` lanes. Inlined with constant rows and cols, it keeps `sum` in registers. */
INLINE void NAME(microkernel)(int rows, int cols, int lanes, int64_t kc, matrix a, const char *b,
                              int64_t b_row, T *out, int64_t n, bool first) {
#define PRESENT(c) ((c) < cols - 1 ? LANES : lanes)
  vector sum[MR][NR_VECTORS], row[NR_VECTORS];
  EACH(r, rows) EACH(c, cols) {
    sum[r][c] = first ? (vector){0} : NAME(get)(out + r * n + c * LANES, PRESENT(c));
    if (!first)
      __builtin_prefetch(out + r * n + (cols + c) * LANES); /* the next tile of out */
  }
  for (int64_t k = 0; k < kc; k++, a.data += a.col, b += b_row) {
    EACH(c, cols) {
      row[c] = NAME(get)(b + c * VECTOR, PRESENT(c));
      __builtin_prefetch(b + PREFETCH_ROWS * b_row + c * VECTOR);
    }
    EACH(r, rows) {
      vector scale = *(const any_T *)(a.data + r * a.row) - (vector){0}; /* a broadcast */
      EACH(c, cols) { sum[r][c] = FMA(scale, row[c], sum[r][c]); }
    }
  }
  __asm__("" : "+r"(out), "+r"(n)); /* else 24 addresses are computed above and spilled */
  EACH(r, rows) EACH(c, cols) { NAME(put)(out + r * n + c * LANES, PRESENT(c), sum[r][c]); }
#undef PRESENT
}

/* Compute out (m, n) (+)= a (m, kc) @ b (kc, n), where rows of out are `stride` elements apart. b.col
 * is the size of an element, or 0 if b has been packed into panels. */
static TARGET void NAME(macrokernel)(int64_t m, int64_t kc, int64_t n, const matrix *a,
                                     const matrix *b, void *out, int64_t stride, bool first) {
  int cols, rows;
  for (int64_t i = 0; i < m; i += rows) {
    rows = (int)next_part(m - i, MR, 1);
    matrix strip = at(*a, i, 0);
    for (int64_t j = 0; j < n; j += cols * LANES) {
      cols = (int)next_part(ceil_div(n - j, LANES), NR_VECTORS, 1);
      int lanes = (int)min(LANES, n - j - (cols - 1) * LANES);
      const char *panel = b->data + j * (b->col ? b->col : kc * (int64_t)sizeof(T));
      int64_t b_row = b->col ? b->row : cols * VECTOR;
      T *to = (T *)out + i * stride + j;
#define MICROKERNEL(R, C)                                                                          \
  case R * 4 + C:                                                                                  \
    if (R == MR && C == NR_VECTORS && lanes == LANES)                                              \
      NAME(microkernel)(MR, NR_VECTORS, LANES, kc, strip, panel, b_row, to, stride, first);        \
    else if (R <= MR && C <= NR_VECTORS)                                                           \
      NAME(microkernel)(R, C, lanes, kc, strip, panel, b_row, to, stride, first);                  \
    break;
#define MICROKERNELS(R) MICROKERNEL(R, 1) MICROKERNEL(R, 2) MICROKERNEL(R, 3)
      switch (rows * 4 + cols) {
        MICROKERNELS(1)
        MICROKERNELS(2)
        MICROKERNELS(3)
        MICROKERNELS(4) MICROKERNELS(5) MICROKERNELS(6) MICROKERNELS(7) MICROKERNELS(8)
      }
    }
  }
}
#undef MICROKERNEL
#undef MICROKERNELS
