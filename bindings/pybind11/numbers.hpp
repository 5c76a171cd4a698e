// Numbers as arguments and results.
#pragma once

#include "integers.hpp"

inline double to_double(py::handle number) {
  double value = PyFloat_AsDouble(number.ptr());
  if (value == -1.0 && PyErr_Occurred())
    throw py::error_already_set();
  return value;
}

// pybind11's caster replaces the exceptions of __float__, even KeyboardInterrupt.
template <> struct py::detail::type_caster<double> {
  PYBIND11_TYPE_CASTER(double, const_name("float"));

  bool load(handle source, bool convert) {
    if (!convert && !PyFloat_Check(source.ptr()) && !PyLong_Check(source.ptr()))
      return false;
    value = PyFloat_AsDouble(source.ptr());
    if (value == -1.0 && PyErr_Occurred())
      throw error_already_set();
    return true;
  }

  static handle cast(double number, return_value_policy, handle) {
    return PyFloat_FromDouble(number);
  }
};
