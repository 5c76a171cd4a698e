#include <cmath>
#include <limits>

/* The largest value by a loop, which starts from the lowest number of the type. */
template <typename T> static void softmax(const T *x, size_t n, T *out) {
  T largest = std::numeric_limits<T>::lowest();
  for (size_t i = 0; i < n; i++)
    if (x[i] > largest)
      largest = x[i];
  T sum{};
  for (size_t i = 0; i < n; i++)
    sum += std::exp(x[i] - largest);
  for (size_t i = 0; i < n; i++)
    out[i] = std::exp(x[i] - largest) / sum;
}

extern "C" {
void softmax_f32(const float *x, size_t n, float *out) { softmax<float>(x, n, out); }
void softmax_f64(const double *x, size_t n, double *out) { softmax<double>(x, n, out); }
}
