#include <cstddef>

/* By index, as in C. */
extern "C" int min_max(const double *values, size_t n, double *low, double *high) {
  if (n < 1)
    return -1;
  double least = values[0], most = values[0];
  for (size_t i = 1; i < n; i++) {
    if (values[i] < least)
      least = values[i];
    if (values[i] > most)
      most = values[i];
  }
  if (low != nullptr)
    *low = least;
  if (high != nullptr)
    *high = most;
  return 0;
}
