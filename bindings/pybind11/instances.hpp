// An exception where pybind11 would use an object that nobody has made.
#pragma once

#include <pybind11/pybind11.h>

#include <exception>
#include <utility>

namespace py = pybind11;

// pybind11 ends the process when the base of all its classes is called, as pickle does by protocols
// 0 and 1, since it has no T to make: its tp_new throws through C. Here that is a TypeError.
inline newfunc make_instance; // as pybind11 has it

inline PyObject *new_instance(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
  try {
    if (type->tp_base != &PyBaseObject_Type)
      return make_instance(type, args, kwargs);
  } catch (const std::exception &) { // a class of that base alone, made in Python
  }
  return PyErr_Format(PyExc_TypeError, "cannot create '%s' instances", type->tp_name);
}

// An object that __new__ made and no __init__ saw has no T: pybind11 allocates one when it is first
// used, with anything in it. Once this is called, after T got its class, such a use is a TypeError.
template <class T> void needs_init() {
  auto *info = py::detail::get_type_info(typeid(T));
  info->operator_new = [](size_t) -> void * { throw py::type_error("__init__ was not called"); };
  newfunc &made = info->type->tp_base->tp_new;
  if (made != new_instance)
    make_instance = std::exchange(made, new_instance);
}
