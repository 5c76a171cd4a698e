// Write min_max: the smallest and the largest of n doubles.
//
//   double values[] = {3.0, -1.0, 2.0}, low, high;
//   min_max(values, 3, &low, &high);  // returns 0; low is -1.0 and high is 3.0
//
// It returns 0, or -1 if n is 0; in that case it writes nothing, and `values` may be null. A caller
// that does not want one of the results passes a null pointer in its place. No value is NaN.
// BEGIN SOLUTION
#include <algorithm>
// END SOLUTION
#include <cstddef>

extern "C" int min_max(const double *values, std::size_t n, double *low, double *high) {
  //: // TODO: `values` points to the first of n doubles; `low` and `high` point to where the results go
  //: *low = *high = 0;
  // BEGIN SOLUTION
  if (n == 0)
    return -1;
  auto [least, most] = std::minmax_element(values, values + n);
  if (low)
    *low = *least;
  if (high)
    *high = *most;
  // END SOLUTION
  return 0;
}
