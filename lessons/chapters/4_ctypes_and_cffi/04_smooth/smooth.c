#include "smooth.h"

int smooth(const double *x, size_t n, double alpha, double *out) {
  if (!(alpha >= 0 && alpha <= 1))
    return -1;
  double level = 0;
  for (size_t i = 0; i < n; i++) {
    level = i ? level + alpha * (x[i] - level) : x[i];
    out[i] = level;
  }
  return 0;
}
