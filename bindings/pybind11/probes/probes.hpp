// What the pages of the ledger share. A page is a function that adds its probes to the module.
#pragma once

#include <string_view>

#include "../common.hpp"

void scalars(py::module_ &m);
void text(py::module_ &m);
void arrays(py::module_ &m);
void containers(py::module_ &m);
void objects(py::module_ &m);
void calls(py::module_ &m);
void mixed(py::module_ &m);
void tuned(py::module_ &m);
void naive(py::module_ &m);

// ---- arguments -----------------------------------------------------------------------------

// A `whole` argument is an int: left to itself, pybind11 cuts Fraction(3, 2) down to 1. All
// arguments are annotated, or none, so any other one is `plain`.
inline const py::arg whole = py::arg().noconvert();
inline const py::arg plain;

inline double to_double(py::handle number) {
  double value = PyFloat_AsDouble(number.ptr());
  if (value == -1.0 && PyErr_Occurred())
    throw py::error_already_set();
  return value;
}

inline const uint8_t *data_of(std::string_view bytes) {
  return reinterpret_cast<const uint8_t *>(bytes.data());
}

// The UTF-8 of a str, which keeps it.
inline std::string_view utf8(py::handle text) {
  Py_ssize_t size;
  const char *data = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
  if (!data)
    throw py::error_already_set();
  return {data, static_cast<size_t>(size)};
}

// ---- arrays --------------------------------------------------------------------------------

constexpr int aligned = py::detail::npy_api::NPY_ARRAY_ALIGNED_;
constexpr int contiguous = py::array::c_style | aligned;

// The numbers of a 1-D float64 array. A py::array is borrowed as it is; as the type of an argument
// py::array_t asks NumPy to convert it, also when there is nothing to convert.
inline const double *floats(const py::array &values, int layout = contiguous) {
  if (!py::isinstance<py::array_t<double, 0>>(values))
    throw py::type_error("values must be a float64 array");
  if (values.ndim() != 1 || (values.flags() & layout) != layout)
    throw py::value_error("values must be 1-D, aligned and, unless strided, C-contiguous");
  return static_cast<const double *>(values.data());
}

inline size_t length(const py::array &values) { return static_cast<size_t>(values.size()); }
