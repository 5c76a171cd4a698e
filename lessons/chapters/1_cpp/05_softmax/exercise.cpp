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
#include <cstddef>

// TODO: template <typename T> void softmax(const T *x, std::size_t n, T *out)

extern "C" void softmax_f32(const float *x, std::size_t n, float *out) {}
extern "C" void softmax_f64(const double *x, std::size_t n, double *out) {}
