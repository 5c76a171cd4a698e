// Where pybind11 would end the process or use what it did not make, an exception.
#pragma once

#include <pybind11/pybind11.h>

#include <exception>
#include <utility>

namespace py = pybind11;

// pybind11 refuses a call with a message that holds the names of the keywords. It throws through C,
// which ends the process, if one of them is not UTF-8: f(**{"\ud800": 1}). This is a call of a
// function that raises TypeError then.
using FastCall = PyObject *(*)(PyObject *, PyObject *const *, Py_ssize_t, PyObject *);
inline FastCall dispatch; // what all functions of a module share in pybind11

inline PyObject *call_guarded(PyObject *self, PyObject *const *args, Py_ssize_t n,
                              PyObject *names) {
  try {
    return dispatch(self, args, n, names);
  } catch (py::error_already_set &error) {
    py::raise_from(error, PyExc_TypeError, "no signature takes these arguments");
  } catch (const std::exception &error) {
    PyErr_SetString(PyExc_TypeError, error.what());
  }
  return nullptr;
}

inline PyCFunction &method_of(py::handle function) {
  return reinterpret_cast<PyCFunctionObject *>(function.ptr())->m_ml->ml_meth;
}

inline void guard_function(py::handle value) {
  py::handle function = py::detail::get_function(value); // of a method
  if (PyCFunction_Check(function.ptr()) &&
      method_of(function) == method_of(py::cpp_function([] {})))
    method_of(function) = reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(call_guarded));
}

// Guard the functions of a module, and the methods and properties of its classes.
inline void guard(py::handle names) {
  auto shared = method_of(py::cpp_function([] {}));
  dispatch = reinterpret_cast<FastCall>(reinterpret_cast<void (*)()>(shared));
  for (py::handle value : names.attr("values")()) {
    guard_function(value);
    for (const char *accessor : {"fget", "fset"})
      guard_function(py::getattr(value, accessor, py::none()));
    if (PyType_Check(value.ptr()))
      guard(value.attr("__dict__"));
  }
}

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
