// The policy copy lets nanobind allocate the result: the vector of this function may then go.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <vector>

namespace nb = nanobind;
using namespace nb::literals;

using Values = nb::ndarray<const double, nb::ndim<1>, nb::device::cpu>;

static void check(const Values &values, size_t width) {
  if (!width || values.shape(0) < width)
    throw nb::value_error("width");
}

static nb::object means(Values values, size_t width) {
  check(values, width);
  std::vector<double> result;
  for (size_t i = 0; i + width <= values.shape(0); i++) {
    double sum = 0;
    for (size_t j = i; j < i + width; j++)
      sum += values.data()[static_cast<int64_t>(j) * values.stride(0)];
    result.push_back(sum / static_cast<double>(width));
  }
  return nb::cast(nb::ndarray<nb::numpy, double, nb::ndim<1>>(result.data(), {result.size()}),
                  nb::rv_policy::copy);
}

static auto windows(Values values, size_t width) {
  check(values, width);
  return nb::ndarray<nb::numpy, const double>(values.data(), {values.shape(0) - width + 1, width},
                                              nb::find(values),
                                              {values.stride(0), values.stride(0)});
}

NB_MODULE(exercise, m) {
  m.def("means", &means, "values"_a.noconvert(), "width"_a);
  m.def("windows", &windows, "values"_a.noconvert(), "width"_a);
}
