// The buffer protocol for what is changed; a vector that a capsule owns for what is new.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include "levels.h"
#include <vector>

namespace py = pybind11;

static void amplify(py::buffer samples, double factor) {
  py::buffer_info view = samples.request();
  if (view.format != py::format_descriptor<double>::format())
    throw py::type_error("samples must be float64");
  if (view.ndim != 1 || view.readonly)
    throw py::value_error("samples must be writable, with one dimension");
  for (py::ssize_t i = 0; i < view.shape[0]; i++)
    *reinterpret_cast<double *>(static_cast<char *>(view.ptr) + i * view.strides[0]) *= factor;
}

static double peak(const py::array_t<double> &samples) {
  auto values = samples.unchecked<1>();
  const double *data = values.shape(0) ? values.data(0) : nullptr;
  py::ssize_t n = values.shape(0), stride = samples.strides(0) / 8;
  py::gil_scoped_release release;
  return peak_of(data, n, stride);
}

static py::array_t<double> fades(size_t n) {
  auto *values = new std::vector<double>(n);
  for (size_t i = 0; i < n; i++)
    (*values)[i] = static_cast<double>(n - i) / static_cast<double>(n);
  py::capsule owner(values, [](void *p) { delete static_cast<std::vector<double> *>(p); });
  return py::array_t<double>(static_cast<py::ssize_t>(n), values->data(), owner);
}

PYBIND11_MODULE(exercise, m) {
  m.def("amplify", &amplify);
  m.def("peak", &peak);
  m.def("fades", &fades);
}
