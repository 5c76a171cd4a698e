#include <stddef.h>

/* Write the exponential moving average of n values to `out`: out[0] = x[0], and out[i] is
 * out[i - 1] + alpha * (x[i] - out[i - 1]). Return 0, or -1 if alpha is not between 0 and 1. */
int smooth(const double *x, size_t n, double alpha, double *out);
