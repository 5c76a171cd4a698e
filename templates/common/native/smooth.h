#pragma once
#include <stddef.h>
#include <stdint.h>

enum { SMOOTH_OK, SMOOTH_ALPHA, SMOOTH_NOT_FINITE, SMOOTH_MEMORY };
const char *smooth_message(int error); /* static text, which nobody frees */

/* Write to y[i] the moving average of x[0] to x[i], in which x[i] weighs 0 < alpha <= 1. */
int smooth_ema(double alpha, const double *x, double *y, size_t n);
uint32_t smooth_crc32(const void *data, size_t size);

typedef struct smooth_average smooth_average; /* opaque: only smooth.c knows its fields */

/* Create an average that goes on from call to call. The caller frees it with smooth_free. */
int smooth_create(double alpha, smooth_average **average);
void smooth_free(smooth_average *average);
/* Feed x[0..n) and write the average after each to y[0..n). An error changes nothing. */
int smooth_update(smooth_average *average, const double *x, double *y, size_t n);
