// Numbers as arguments.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <type_traits>

namespace nb = nanobind;

inline double to_double(nb::handle number) {
  double value = PyFloat_AsDouble(number.ptr());
  if (value == -1.0 && PyErr_Occurred())
    throw nb::python_error();
  return value;
}

// A number as an argument. An exception of its __float__ or __index__ comes out unchanged. With
// double or int64_t in a signature, nanobind replaces the exception, even KeyboardInterrupt.
template <class T> struct Number {
  T value;
  operator T() const { return value; }
};
using Float = Number<double>;
using Int = Number<int64_t>;

template <class T> struct nb::detail::type_caster<Number<T>> {
  NB_TYPE_CASTER(Number<T>, make_caster<T>::Name)

  bool from_python(handle source, uint32_t, cleanup_list *) {
    if constexpr (std::is_floating_point_v<T>) {
      value.value = to_double(source);
      return true;
    } else {
      long long number = PyLong_AsLongLong(source.ptr());
      if (number == -1 && PyErr_Occurred())
        throw python_error();
      value.value = static_cast<T>(number);
      return static_cast<long long>(value.value) == number && (std::is_signed_v<T> || number >= 0);
    }
  }
};

// A C function with such arguments: m.def("name", numbers(&function)).
template <class Result, class... T> auto numbers(Result (*function)(T...)) {
  return [function](Number<T>... arguments) { return function(arguments...); };
}
