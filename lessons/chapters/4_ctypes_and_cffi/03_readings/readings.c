#include "readings.h"

reading reading_mean(reading a, reading b) {
  reading mean = a;
  mean.time = a.time > b.time ? a.time : b.time;
  mean.value = (a.value + b.value) / 2;
  mean.error = a.error > b.error ? a.error : b.error;
  return mean;
}

int reading_scale(reading *r, double factor) {
  if (!(factor > 0))
    return -1;
  r->value *= (float)factor;
  r->error *= factor;
  return 0;
}
