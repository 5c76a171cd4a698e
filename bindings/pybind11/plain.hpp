// Arguments that are plain arrays when they are read, for matmul.
#pragma once

#include <pybind11/numpy.h>

#include <string>

namespace py = pybind11;

template <class T> using Array = py::array_t<T, 0>;

// As the type of an argument: a numpy.ndarray with the dtype of T, which chooses the overload. It is
// read when the other arguments have been asked, as they may change it; py::array_t as an argument
// is a new object for a subclass, with the shape that it has before.
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
// but adds a reference to the type of each argument, which it never releases.
inline bool is_object(PyObject *) { return true; }
template <class T> class Shown : public py::object {
  PYBIND11_OBJECT_DEFAULT(Shown, py::object, is_object)
};
template <class T> struct py::detail::handle_type_name<Shown<T>> {
  static constexpr auto name = make_caster<T>::name;
};

// An array as it is now, of any subclass.
template <class T> Array<T> borrowed(py::handle object, const char *name) {
  if (!py::isinstance<Array<T>>(object))
    throw py::type_error(std::string(name) +
                         " must be a numpy.ndarray; a, b and out have one dtype, "
                         "float32 or float64");
  return py::reinterpret_borrow<Array<T>>(object);
}
