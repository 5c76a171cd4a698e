#include <cmath>
#include <cstddef>

/* A class template with a call operator; the sum in double for both. */
namespace {
template <class T> struct softmax {
  std::size_t n;

  T largest(const T *x) const {
    T most = x[0];
    for (std::size_t i = 1; i < n; i++)
      most = std::fmax(most, x[i]);
    return most;
  }

  void operator()(const T *x, T *out) const {
    if (!n)
      return;
    const T most = largest(x);
    double sum = 0;
    for (std::size_t i = 0; i < n; i++)
      sum += out[i] = std::exp(x[i] - most);
    for (std::size_t i = 0; i < n; i++)
      out[i] = static_cast<T>(out[i] / sum);
  }
};
} // namespace

extern "C" void softmax_f32(const float *x, std::size_t n, float *out) {
  softmax<float>{n}(x, out);
}
extern "C" void softmax_f64(const double *x, std::size_t n, double *out) {
  softmax<double>{n}(x, out);
}
