// The arguments of matmul: plain arrays at the time they are read.
#pragma once

#include <pybind11/numpy.h>

#include <string>

namespace py = pybind11;

template <class T> using Array = py::array_t<T, 0>;

// The type of an argument: a numpy.ndarray with the dtype of T, which chooses the overload. Read it
// after the other arguments have been converted, which may change it. A py::array_t would be a new
// object if a subclass is passed, with the shape from before that change.
template <class T> struct First {
  py::object object;
};

template <class T> struct py::detail::type_caster<First<T>> {
  PYBIND11_TYPE_CASTER(First<T>, make_caster<Array<T>>::name);

  bool load(handle source, bool) {
    value.object = reinterpret_borrow<object>(source);
    return isinstance<Array<T>>(source);
  }
};

// As the type of an argument: any object, which signatures show as a T. py::typing::Union would do,
// but leaks a reference to the type of each argument.
inline bool is_object(PyObject *) { return true; }
template <class T> class Shown : public py::object {
  PYBIND11_OBJECT_DEFAULT(Shown, py::object, is_object)
};
template <class T> struct py::detail::handle_type_name<Shown<T>> {
  static constexpr auto name = make_caster<T>::name;
};

// Return the current state of an array of any subclass.
template <class T> Array<T> borrowed(py::handle object, const char *name) {
  if (!py::isinstance<Array<T>>(object))
    throw py::type_error(std::string(name) +
                         " must be a numpy.ndarray; a, b and out have one dtype, "
                         "float32 or float64");
  return py::reinterpret_borrow<Array<T>>(object);
}
