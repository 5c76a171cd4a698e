#include "summary.h"
#include <stdlib.h>

struct summary {
  double n, mean, sum; /* sum: of the squares of the differences from the mean */
};

summary *summary_new(void) { return calloc(1, sizeof(summary)); }

void summary_free(summary *s) { free(s); }

void summary_add(summary *s, const double *x, size_t n) {
  for (size_t i = 0; i < n; i++) {
    double before = x[i] - s->mean;
    s->n += 1;
    s->mean += before / s->n;
    s->sum += before * (x[i] - s->mean);
  }
}

int summary_read(const summary *s, double *out) {
  if (s->n == 0)
    return -1;
  out[0] = s->n;
  out[1] = s->mean;
  out[2] = s->sum / s->n;
  return 0;
}
