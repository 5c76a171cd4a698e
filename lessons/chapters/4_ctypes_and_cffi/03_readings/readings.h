#include <stdint.h>

/* What a sensor has measured. */
typedef struct {
  uint8_t sensor;
  uint32_t time; /* milliseconds */
  float value;
  double error;
  int16_t level;
} reading;

/* Return the mean of two readings: the sensor and the level of `a`, the later time, the mean value,
 * and the larger error. */
reading reading_mean(reading a, reading b);

/* Multiply the value and the error. Return 0, or -1 if the factor is not positive: the reading is
 * then as it was. */
int reading_scale(reading *r, double factor);
