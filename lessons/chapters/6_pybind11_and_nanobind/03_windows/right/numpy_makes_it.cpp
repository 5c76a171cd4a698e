// NumPy makes both arrays; the loop writes into the memory of the first.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

namespace nb = nanobind;
using namespace nb::literals;

using Values = nb::ndarray<const double, nb::ndim<1>, nb::device::cpu>;

static nb::object windows(nb::object values, size_t width) {
  nb::object view = nb::module_::import_("numpy.lib.stride_tricks").attr("sliding_window_view");
  return view(values, width);
}

static nb::object means(Values values, size_t width) {
  if (width < 1 || width > values.shape(0))
    throw nb::value_error("width must fit the values");
  nb::object made = nb::module_::import_("numpy").attr("empty")(values.shape(0) - width + 1);
  auto result = nb::cast<nb::ndarray<double, nb::ndim<1>, nb::device::cpu>>(made);
  for (size_t i = 0; i < result.shape(0); i++) {
    result(i) = 0;
    for (size_t j = 0; j < width; j++)
      result(i) += values(i + j);
    result(i) /= static_cast<double>(width);
  }
  return made;
}

NB_MODULE(exercise, m) {
  m.def("means", &means, "values"_a.noconvert(), "width"_a);
  m.def(
      "windows",
      [](nb::typed<nb::object, Values> values, Py_ssize_t width) {
        Values seen;
        if (!nb::try_cast(values, seen, false))
          throw nb::type_error("values must be an array of float64 with one dimension");
        if (width < 1 || static_cast<size_t>(width) > seen.size())
          throw nb::value_error("width must fit the values");
        return windows(values, static_cast<size_t>(width));
      },
      "values"_a, "width"_a);
}
