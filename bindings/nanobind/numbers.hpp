// Numbers as arguments.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <stdexcept>
#include <tuple>
#include <type_traits>

namespace nb = nanobind;

inline double to_double(nb::handle number) {
  double value = PyFloat_AsDouble(number.ptr());
  if (value == -1.0 && PyErr_Occurred())
    throw nb::python_error();
  return value;
}

// A number as an argument, which the function converts: an exception of its __float__ or __index__
// comes out unchanged. A type caster must not throw: nanobind's own replace the exception.
template <class T> using Number = nb::typed<nb::handle, T>;
using Float = Number<double>;
using Int = Number<int64_t>;

// The value of such an argument. This can run Python code, so it comes before memory is borrowed.
template <class T> T value_of(const Number<T> &number) {
  if constexpr (std::is_floating_point_v<T>) {
    return to_double(number);
  } else {
    long long value = PyLong_AsLongLong(number.ptr());
    if (value == -1 && PyErr_Occurred())
      throw nb::python_error();
    if (static_cast<T>(value) != value || (std::is_unsigned_v<T> && value < 0))
      throw std::overflow_error("an integer is out of range");
    return static_cast<T>(value);
  }
}

// A C function with such arguments (the braces keep their order): m.def("name", numbers(&name)).
template <class Result, class... T> auto numbers(Result (*function)(T...)) {
  return [function](const Number<T> &...arguments) {
    return std::apply(function, std::tuple<T...>{value_of<T>(arguments)...});
  };
}
