// The call guard stays, around a function that touches no Python object.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include "levels.h"
#include <memory>

namespace py = pybind11;

using Samples = py::array_t<double>;

static double without_gil(const double *data, py::ssize_t n, py::ssize_t stride) {
  py::gil_scoped_release release;
  return peak_of(data, n, stride);
}

PYBIND11_MODULE(exercise, m) {
  m.def(
      "amplify",
      [](Samples samples, double factor) {
        if (samples.ndim() != 1)
          throw std::invalid_argument("samples must have one dimension");
        for (py::ssize_t i = 0; i < samples.shape(0); i++)
          samples.mutable_at(i) *= factor;
        samples.mutable_unchecked(); // refuses a read-only array without items
      },
      py::arg().noconvert(), py::arg());
  m.def("peak", [](const Samples &samples) {
    if (samples.ndim() != 1)
      throw std::invalid_argument("samples must have one dimension");
    return without_gil(samples.data(), samples.size(), samples.strides(0) / 8);
  });
  m.def("fades", [](py::ssize_t n) {
    auto data = std::make_unique<double[]>(static_cast<size_t>(n));
    for (py::ssize_t i = 0; i < n; i++)
      data[static_cast<size_t>(i)] = static_cast<double>(n - i) / static_cast<double>(n);
    return Samples(n, data.get()); // copies, since there is no base
  });
}
