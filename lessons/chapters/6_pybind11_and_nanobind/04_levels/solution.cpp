#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include "levels.h"

namespace py = pybind11;
using namespace py::literals;

using Samples = py::array_t<double>;

static void amplify(Samples &samples, double factor) {
  auto values = samples.mutable_unchecked<1>();
  for (py::ssize_t i = 0; i < values.shape(0); i++)
    values(i) *= factor;
}

static double peak(const Samples &samples) {
  if (samples.ndim() != 1)
    throw py::value_error("samples must have one dimension");
  const double *data = samples.data();
  py::ssize_t n = samples.shape(0), stride = samples.strides(0) / samples.itemsize();
  py::gil_scoped_release release;
  return peak_of(data, n, stride);
}

static Samples fades(py::ssize_t n) {
  auto *data = new double[static_cast<size_t>(n)];
  for (py::ssize_t i = 0; i < n; i++)
    data[i] = static_cast<double>(n - i) / static_cast<double>(n);
  py::capsule owner(data, [](void *memory) { delete[] static_cast<double *>(memory); });
  return Samples(n, data, owner);
}

PYBIND11_MODULE(exercise, m) {
  m.def("amplify", &amplify, "samples"_a.noconvert(), "factor"_a);
  m.def("peak", &peak, "samples"_a);
  m.def("fades", &fades, "n"_a);
}
