// A TypeError that names the type of the argument.
#pragma once

#include <pybind11/pybind11.h>

namespace py = pybind11;

// Raise a TypeError that says what was expected and what `type(given).__name__` is.
[[noreturn]] inline void refuse_type(const char *expected, py::handle given) {
  auto name = py::reinterpret_steal<py::object>(PyType_GetName(Py_TYPE(given.ptr())));
  if (name)
    PyErr_Format(PyExc_TypeError, "%s, not %U", expected, name.ptr());
  throw py::error_already_set();
}
