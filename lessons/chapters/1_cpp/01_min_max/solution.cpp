#include <algorithm>
#include <cstddef>

extern "C" int min_max(const double *values, std::size_t n, double *low, double *high) {
  if (n == 0)
    return -1;
  auto [least, most] = std::minmax_element(values, values + n);
  if (low)
    *low = *least;
  if (high)
    *high = *most;
  return 0;
}
