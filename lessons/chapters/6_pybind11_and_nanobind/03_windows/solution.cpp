// Write means(values, width) and windows(values, width): an array in, an array out, no extra copy.
//
//   >>> values = np.array([1.0, 2.0, 6.0, 4.0])
//   >>> exercise.means(values, 2)
//   array([1.5, 4. , 5. ])
//   >>> exercise.windows(values, 2)
//   array([[1., 2.],
//          [2., 6.],
//          [6., 4.]])
//
//   - values is a float64 array of one dimension, with any stride, and may be read-only. It is not
//     copied. Anything else raises TypeError.
//   - width is at least 1 and at most the number of values; else both functions raise ValueError.
//   - means returns a new array. Its memory is freed when the array is.
//   - windows returns a view that nobody may write to: row i shows `values` from item i on.
//     It keeps that memory alive.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <memory>

namespace nb = nanobind;
using namespace nb::literals;

//: // TODO: which arrays are accepted?
//: using Values = nb::ndarray<>;
//:
//: NB_MODULE(exercise, m) {
//:   (void)m; // TODO: means and windows
// BEGIN SOLUTION
using Values = nb::ndarray<const double, nb::ndim<1>, nb::device::cpu>;
using Result = nb::ndarray<nb::numpy, double, nb::ndim<1>>;
using View = nb::ndarray<nb::numpy, const double, nb::ndim<2>>;

static Result means(Values values, size_t width) {
  if (width == 0 || width > values.shape(0))
    throw nb::value_error("width must be between 1 and the number of values");
  size_t n = values.shape(0) - width + 1;
  auto result = std::make_unique<double[]>(n);
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < width; j++)
      result[i] += values(i + j);
    result[i] /= static_cast<double>(width);
  }
  nb::capsule owner(result.get(),
                    [](void *data) noexcept { delete[] static_cast<double *>(data); });
  return Result(result.release(), {n}, owner);
}

static View windows(Values values, size_t width) {
  if (width == 0 || width > values.shape(0))
    throw nb::value_error("width must be between 1 and the number of values");
  int64_t stride = values.stride(0);
  nb::object owner = nb::cast(values);
  return View(values.data(), {values.shape(0) - width + 1, width}, owner, {stride, stride});
}

NB_MODULE(exercise, m) {
  m.def("means", &means, "values"_a.noconvert(), "width"_a);
  m.def("windows", &windows, "values"_a.noconvert(), "width"_a);
  // END SOLUTION
}
