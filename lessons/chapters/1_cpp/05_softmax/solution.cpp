// Write softmax for float and for double, from one template, with an entry point for each.
//
//   out[i] = exp(x[i] - m) / (the sum of all exp(x[j] - m)), where m is the largest x[j]
//
//   double x[] = {0, 0, 1000}, out[3];
//   softmax_f64(x, 3, out);  // {0, 0, 1}
//
// Without m, exp(1000) would be infinite. `out` may be `x` itself. With n = 0 nothing is touched.
// Some values may be -infinity, as in masked attention, but never all. Each entry point
// calculates in its own type.
// BEGIN SOLUTION
#include <algorithm>
#include <cmath>
#include <concepts>
// END SOLUTION
#include <cstddef>

//: // TODO: template <typename T> void softmax(const T *x, std::size_t n, T *out)
//:
//: extern "C" void softmax_f32(const float *x, std::size_t n, float *out) {}
//: extern "C" void softmax_f64(const double *x, std::size_t n, double *out) {}
// BEGIN SOLUTION
namespace {
template <std::floating_point T> void softmax(const T *x, std::size_t n, T *out) {
  if (n == 0)
    return;
  const T largest = *std::max_element(x, x + n);
  T sum = 0;
  for (std::size_t i = 0; i < n; i++) {
    out[i] = std::exp(x[i] - largest);
    sum += out[i];
  }
  for (std::size_t i = 0; i < n; i++)
    out[i] /= sum;
}
} // namespace

extern "C" void softmax_f32(const float *x, std::size_t n, float *out) { softmax(x, n, out); }
extern "C" void softmax_f64(const double *x, std::size_t n, double *out) { softmax(x, n, out); }
// END SOLUTION
