#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>

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
