/* The tile in vectors as wide as the compiler's target has them, and enough of them for the chains of
 * multiply-adds to hide their latency: ROWS * COLS sums, COLS vectors of b and one of a. */
#if defined(__AVX512F__)
enum { BYTES = 64, ROWS = 8, COLS = 3 };
#elif defined(__AVX__)
enum { BYTES = 32, ROWS = 6, COLS = 2 };
#else
enum { BYTES = 16, ROWS = 6, COLS = 2 };
#endif
enum { LANES = BYTES / 4, WIDTH = COLS * LANES };
typedef float vector __attribute__((vector_size(BYTES), aligned(4), may_alias));

/* out (ROWS, WIDTH) = or += a (ROWS, depth) @ b (depth, WIDTH); the three have rows of their own. */
static inline void tile(int depth, const float *a, int a_row, const float *b, int b_row, float *out,
                        int out_row, int first) {
  vector sum[ROWS][COLS];
  for (int r = 0; r < ROWS; r++)
    for (int c = 0; c < COLS; c++)
      sum[r][c] = first ? (vector){0} : *(vector *)(out + r * out_row + c * LANES);
  for (int k = 0; k < depth; k++)
#pragma GCC unroll 8
    for (int r = 0; r < ROWS; r++)
#pragma GCC unroll 8
      for (int c = 0; c < COLS; c++)
        sum[r][c] += a[r * a_row + k] * *(const vector *)(b + k * b_row + c * LANES);
  for (int r = 0; r < ROWS; r++)
    for (int c = 0; c < COLS; c++)
      *(vector *)(out + r * out_row + c * LANES) = sum[r][c];
}
