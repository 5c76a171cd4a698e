/* Quantiles of numbers. */
#ifndef QUANTILE_H
#define QUANTILE_H

#include <stddef.h>

enum quantile_status {
  QUANTILE_OK,
  QUANTILE_EMPTY,  /* there are no values */
  QUANTILE_RANGE,  /* q is not from 0 to 1 */
  QUANTILE_NAN,    /* one of the values is NaN */
  QUANTILE_MEMORY, /* there are more values than the library has memory for */
};

/* Write the q-quantile of n values to `result`, interpolated between the two nearest values, and
 * return QUANTILE_OK; or return another status, and leave `result` as it is. */
enum quantile_status quantile(const double *values, size_t n, double q, double *result);

/* Return the text of a status, which lives for ever. */
const char *quantile_message(enum quantile_status status);

#endif
