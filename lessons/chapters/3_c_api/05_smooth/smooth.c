/* The function of smooth.h. */
#include "smooth.h"
#include "meeting.h"
#include <math.h>

int smooth_values(double *values, size_t n) {
  if (meeting_expected)
    meeting_join();
  for (size_t i = 0; i < n; i++) {
    if (!isfinite(values[i]))
      return -1;
    if (i)
      values[i] = (values[i - 1] + values[i]) / 2;
  }
  return 0;
}
