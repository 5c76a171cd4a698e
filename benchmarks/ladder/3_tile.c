/* A tile of out, 4 by 16, is summed up before it is stored: what is loaded serves 4 rows, or 16
 * columns. It would fit the registers; whether it stays there is up to the compiler. */
#include "ladder.h"

enum { ROWS = 4, COLS = 16 };

static void matmul(int n, const float *restrict a, const float *restrict b, float *restrict out,
                   int threads) {
  (void)threads;
  for (int i = 0; i < n; i += ROWS)
    for (int j = 0; j < n; j += COLS) {
      float sum[ROWS][COLS] = {{0}};
      for (int k = 0; k < n; k++)
        for (int r = 0; r < ROWS; r++)
          for (int c = 0; c < COLS; c++)
            sum[r][c] += a[(i + r) * n + k] * b[k * n + j + c];
      for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < COLS; c++)
          out[(i + r) * n + j + c] = sum[r][c];
    }
}
