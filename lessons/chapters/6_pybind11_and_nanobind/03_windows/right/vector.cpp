// The result's memory is that of a std::vector, which the capsule owns.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <numeric>
#include <vector>

namespace nb = nanobind;

using Values = nb::ndarray<double, nb::shape<-1>, nb::ro, nb::device::cpu>;

static size_t count(const Values &values, Py_ssize_t width) {
  if (width < 1 || width > static_cast<Py_ssize_t>(values.size()))
    throw nb::value_error("no window of that width");
  return values.size() - static_cast<size_t>(width) + 1;
}

static nb::object means(Values values, Py_ssize_t width) {
  auto *result = new std::vector<double>(count(values, width));
  nb::capsule owner(result, [](void *p) noexcept { delete static_cast<std::vector<double> *>(p); });
  for (size_t i = 0; i < result->size(); i++) {
    double sum = 0;
    for (Py_ssize_t j = 0; j < width; j++)
      sum += values(i + static_cast<size_t>(j));
    (*result)[i] = sum / static_cast<double>(width);
  }
  size_t shape[] = {result->size()};
  return nb::cast(nb::ndarray<nb::numpy, double>(result->data(), 1, shape, owner));
}

static nb::object windows(nb::object array, Py_ssize_t width) {
  auto values = nb::cast<Values>(array);
  size_t shape[] = {count(values, width), static_cast<size_t>(width)};
  int64_t strides[] = {values.stride(0), values.stride(0)};
  return nb::cast(nb::ndarray<nb::numpy, const double>(values.data(), 2, shape, array, strides));
}

NB_MODULE(exercise, m) {
  m.def("means", &means, nb::arg("values").noconvert(), nb::arg("width"));
  m.def(
      "windows",
      [](nb::object array, Py_ssize_t width) {
        if (!nb::isinstance<Values>(array))
          throw nb::type_error("values must be an array of float64 with one dimension");
        return windows(array, width);
      },
      nb::arg("values"), nb::arg("width"));
}
