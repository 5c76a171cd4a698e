// An exception where pybind11 would use an object that was never initialised.
#pragma once

#include <pybind11/pybind11.h>

#include <exception>
#include <utility>

namespace py = pybind11;

// pybind11 ends the process if the base of all its classes is called, as pickle does by protocols
// 0 and 1: there is no T to make, and its tp_new throws through C. This raises TypeError.
inline newfunc make_instance; // as in pybind11

inline PyObject *new_instance(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
  try {
    if (type->tp_base != &PyBaseObject_Type)
      return make_instance(type, args, kwargs);
  } catch (const std::exception &) { // a class made in Python from that base alone
  }
  return PyErr_Format(PyExc_TypeError, "cannot create '%s' instances", type->tp_name);
}

// An object made by __new__ without __init__ has no T: pybind11 allocates an uninitialised one at
// its first use. After this is called, once T has its class, such a use raises TypeError.
template <class T> void needs_init() {
  auto *info = py::detail::get_type_info(typeid(T));
  info->operator_new = [](size_t) -> void * { throw py::type_error("__init__ was not called"); };
  newfunc &made = info->type->tp_base->tp_new;
  if (made != new_instance)
    make_instance = std::exchange(made, new_instance);
}
