// A module of this binding, and a guard of its functions against keywords that are not UTF-8.
#pragma once

#include <pybind11/pybind11.h>

#include <exception>

namespace py = pybind11;

// pybind11 refuses a call with a message that names the keywords. If one of them is not valid
// UTF-8, as in f(**{"\ud800": 1}), it throws through C, which ends the process. This wrapper of a
// function raises TypeError instead.
using FastCall = PyObject *(*)(PyObject *, PyObject *const *, Py_ssize_t, PyObject *);
inline FastCall dispatch; // shared by all functions of a module

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
  py::handle function = value;
  if (PyInstanceMethod_Check(value.ptr())) // a method of a class
    function = PyInstanceMethod_Function(value.ptr());
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

// Each module promises that it needs no GIL, and refuses subinterpreters, because NumPy does.
#define COOKBOOK_MODULE(page, m)                                                                   \
  static void fill(py::module_ &m);                                                                \
  PYBIND11_MODULE(page, m, py::mod_gil_not_used(), py::multiple_interpreters::not_supported()) {   \
    py::options options;                                                                           \
    options.disable_function_signatures(); /* docstrings have them, for inspect */                 \
    fill(m);                                                                                       \
    guard(m.attr("__dict__"));                                                                     \
  }                                                                                                \
  static void fill(py::module_ &m)
