#include "quantile.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 4096 };

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

enum quantile_status quantile(const double *values, size_t n, double q, double *result) {
  if (n == 0)
    return QUANTILE_EMPTY;
  if (!(q >= 0 && q <= 1))
    return QUANTILE_RANGE;
  if (n > MOST)
    return QUANTILE_MEMORY;
  double sorted[MOST];
  for (size_t i = 0; i < n; i++) {
    if (isnan(values[i]))
      return QUANTILE_NAN;
    sorted[i] = values[i];
  }
  qsort(sorted, n, sizeof *sorted, ascending);
  double position = q * (double)(n - 1);
  size_t below = (size_t)position, above = below + 1 < n ? below + 1 : below;
  *result = sorted[below] + (position - (double)below) * (sorted[above] - sorted[below]);
  return QUANTILE_OK;
}

const char *quantile_message(enum quantile_status status) {
  static const char *const texts[] = {
      "no error",       "there are no values", "q must be from 0 to 1",
      "a value is NaN", "too many values",
  };
  return (size_t)status < sizeof texts / sizeof *texts ? texts[status] : "unknown status";
}
