// Loops over samples of sound: C++ that knows nothing of Python.
#pragma once
#include <cmath>
#include <cstddef>

extern "C" void meeting_pass(void); // where the checker's threads meet

// Return the largest absolute value of n samples that lie `stride` items apart; 0 without any.
inline double peak_of(const double *samples, std::ptrdiff_t n, std::ptrdiff_t stride) {
  meeting_pass();
  double found = 0;
  for (std::ptrdiff_t i = 0; i < n; i++)
    found = std::fmax(found, std::fabs(samples[i * stride]));
  return found;
}
