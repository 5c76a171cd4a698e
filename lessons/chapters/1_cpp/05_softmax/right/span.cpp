#include <algorithm>
#include <cmath>
#include <span>

/* By spans, with the type of the items deduced. */
template <typename T> void softmax(std::span<const T> x, std::span<T> out) {
  if (x.empty())
    return;
  T largest = std::ranges::max(x), sum = 0;
  std::ranges::transform(x, out.begin(), [&](T value) {
    T item = std::exp(value - largest);
    sum += item;
    return item;
  });
  for (T &item : out)
    item = item / sum;
}

extern "C" void softmax_f32(const float *x, size_t n, float *out) {
  softmax(std::span(x, n), std::span(out, n));
}

extern "C" void softmax_f64(const double *x, size_t n, double *out) {
  softmax(std::span(x, n), std::span(out, n));
}
