#include "smooth.h"

#include <math.h>
#include <stdlib.h>

struct smooth_average {
  double alpha, value; /* value is NaN before the first update */
};

const char *smooth_message(int error) {
  return (const char *[]){"no error", "alpha must be above 0 and at most 1", "x must be finite",
                          "out of memory"}[error];
}

int smooth_ema(double alpha, const double *x, double *y, size_t n) {
  if (!(alpha > 0 && alpha <= 1)) /* written so that it refuses NaN too */
    return SMOOTH_ALPHA;
  return smooth_update(&(smooth_average){alpha, NAN}, x, y, n);
}

uint32_t smooth_crc32(const void *data, size_t size) {
  uint32_t crc = 0xFFFFFFFF;
  for (const uint8_t *byte = data, *end = byte + size; byte < end; byte++) {
    crc ^= *byte;
    for (int bit = 0; bit < 8; bit++)
      crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320 : 0);
  }
  return ~crc;
}

int smooth_create(double alpha, smooth_average **average) {
  if (!(alpha > 0 && alpha <= 1))
    return SMOOTH_ALPHA;
  if ((*average = malloc(sizeof **average)) == NULL)
    return SMOOTH_MEMORY;
  **average = (smooth_average){alpha, NAN};
  return SMOOTH_OK;
}

void smooth_free(smooth_average *average) { free(average); }

int smooth_update(smooth_average *a, const double *x, double *y, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (!isfinite(x[i]))
      return SMOOTH_NOT_FINITE;
  for (size_t i = 0; i < n; i++)
    y[i] = a->value = isnan(a->value) ? x[i] : a->value + a->alpha * (x[i] - a->value);
  return SMOOTH_OK;
}
