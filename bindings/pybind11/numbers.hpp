// Numbers as arguments and results.
#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <type_traits>

namespace py = pybind11;

// pybind11's casters replace the exceptions of __index__, even KeyboardInterrupt, and truncate
// Fraction(3, 2) to 1. These keep the exceptions, and accept only objects with __index__. All
// sources of a module must include this file, as two definitions of one caster are undefined
// behaviour; other modules do not see it, because pybind11's symbols are hidden.
template <class T> struct IntegerCaster {
  PYBIND11_TYPE_CASTER(T, py::detail::const_name("int"));

  bool load(py::handle source, bool) {
    long long number = PyLong_AsLongLong(source.ptr());
    if (number == -1 && PyErr_Occurred())
      throw py::error_already_set();
    value = static_cast<T>(number);
    if (static_cast<long long>(value) == number && (std::is_signed_v<T> || number >= 0))
      return true;
    PyErr_Format(PyExc_OverflowError, "%lld is out of range for this argument", number);
    throw py::error_already_set();
  }

  static py::handle cast(T number, py::return_value_policy, py::handle) {
    if constexpr (std::is_unsigned_v<T>)
      return PyLong_FromUnsignedLongLong(number);
    else
      return PyLong_FromLongLong(number);
  }
};
template <> struct py::detail::type_caster<int> : IntegerCaster<int> {};
template <> struct py::detail::type_caster<int64_t> : IntegerCaster<int64_t> {};
template <> struct py::detail::type_caster<uint64_t> : IntegerCaster<uint64_t> {};

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
