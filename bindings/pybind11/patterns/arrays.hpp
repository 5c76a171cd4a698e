// Arrays as arguments.
#pragma once

#include <pybind11/numpy.h>

#include <string>

namespace py = pybind11;

constexpr int aligned = py::detail::npy_api::NPY_ARRAY_ALIGNED_;
constexpr int contiguous = py::array::c_style | aligned;

// The numbers of a 1-D float64 array. A py::array is borrowed as it is; py::array_t as the type of
// an argument makes NumPy convert it, even if there is nothing to convert.
inline const double *floats(const py::array &values, int layout = contiguous,
                            const char *name = "values") {
  if (!py::isinstance<py::array_t<double, 0>>(values))
    throw py::type_error(std::string(name) + " must be a float64 array");
  if (values.ndim() != 1 || (values.flags() & layout) != layout)
    throw py::value_error(std::string(name) + " must be 1-D and aligned" +
                          (layout == contiguous ? " and C-contiguous" : ""));
  return static_cast<const double *>(values.data());
}

inline size_t length(const py::array &values) { return static_cast<size_t>(values.size()); }
