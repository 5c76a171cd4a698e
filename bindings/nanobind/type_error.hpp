// A TypeError that names the type of what was given.
#pragma once

#include <nanobind/nanobind.h>

namespace nb = nanobind;

// Raises TypeError: what is expected, and of what type the object is, as `type(given).__name__`.
[[noreturn]] inline void refuse_type(const char *expected, nb::handle given) {
  nb::object name = nb::steal(PyType_GetName(Py_TYPE(given.ptr())));
  if (name.is_valid())
    PyErr_Format(PyExc_TypeError, "%s, not %U", expected, name.ptr());
  throw nb::python_error();
}
