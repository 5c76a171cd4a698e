/* The smallest functions worth calling. They have a file of their own so that no compiler inlines
 * them into their caller. */
#include "cookbook.h"

void ck_noop(void) {}

int64_t ck_add_int(int64_t a, int64_t b) { return (int64_t)((uint64_t)a + (uint64_t)b); }

double ck_add_float(double a, double b) { return a + b; }

double ck_six_scalars(int64_t a, double b, int64_t c, double d, int64_t e, double f) {
  return (double)a + b + (double)c + d + (double)e + f;
}

double ck_keywords(double x, double scale, double offset) { return x * scale + offset; }

int64_t ck_sum_bytes(const uint8_t *data, size_t size) {
  int64_t sum = 0;
  for (size_t i = 0; i < size; i++)
    sum += data[i];
  return sum;
}

double ck_sum_floats(const double *data, size_t size) {
  double sum = 0.0;
  for (size_t i = 0; i < size; i++)
    sum += data[i];
  return sum;
}

void ck_iota(double *out, size_t size) {
  for (size_t i = 0; i < size; i++)
    out[i] = (double)i;
}

double ck_call(ck_callback function, void *context, double x) { return function(x, context) + 1.0; }

int ck_fail(int code) { return code; }
