// A TypeError that names the type of the argument.
#pragma once

#include <nanobind/nanobind.h>

namespace nb = nanobind;

// Raise a TypeError that says what was expected and what `type(given).__name__` is.
[[noreturn]] inline void refuse_type(const char *expected, nb::handle given) {
  nb::object name = nb::steal(PyType_GetName(Py_TYPE(given.ptr())));
  if (name.is_valid())
    PyErr_Format(PyExc_TypeError, "%s, not %U", expected, name.ptr());
  throw nb::python_error();
}
