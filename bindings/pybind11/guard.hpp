// An exception where pybind11 would end the process for the keywords of a call.
#pragma once

#include <pybind11/pybind11.h>

#include <exception>

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
