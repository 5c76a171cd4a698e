#include "model.h"
#include "meeting.h"
#include <math.h>

double predict(double x) {
  if (meeting_expected)
    meeting_join();
  return x < 0 ? NAN : x * x + 1;
}
