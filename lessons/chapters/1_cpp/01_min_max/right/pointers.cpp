#include <cstddef>

/* By moving the pointer to the end. */
extern "C" int min_max(const double *values, std::size_t n, double *low, double *high) {
  const double *end = values + n;
  if (values == end)
    return -1;
  const double *least = values, *most = values;
  for (; values != end; ++values) {
    least = *values < *least ? values : least;
    most = *values > *most ? values : most;
  }
  double unused;
  *(low ? low : &unused) = *least;
  *(high ? high : &unused) = *most;
  return 0;
}
