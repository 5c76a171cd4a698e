/* A C function that takes long and uses nothing of Python's. */
#ifndef SMOOTH_H
#define SMOOTH_H
#include <stddef.h>

/* Replace each value but the first by the mean of itself and the new value before it. Return 0, or
 * -1 at the first value that is not finite; the values from there on stay as they are. */
int smooth_values(double *values, size_t n);

#endif
