// Exceptions.
#pragma once

#include <nanobind/nanobind.h>

#include "cookbook.h"

namespace nb = nanobind;

// Raises what bindings.errors.<maker>(error, context) returns.
[[noreturn]] inline void raise_error(const char *maker, const ck_error &error,
                                     nb::handle context = Py_None) {
  nb::object exception = nb::module_::import_("bindings.errors")
                             .attr(maker)(nb::make_tuple(error.code, error.offset, error.record,
                                                         error.field, error.expected, error.actual),
                                          context);
  PyErr_SetObject(exception.type().ptr(), exception.ptr());
  throw nb::python_error();
}

// Raises TypeError: what is expected, and of what type the object is, as `type(given).__name__`.
[[noreturn]] inline void refuse_type(const char *expected, nb::handle given) {
  nb::object name = nb::steal(PyType_GetName(Py_TYPE(given.ptr())));
  if (name.is_valid())
    PyErr_Format(PyExc_TypeError, "%s, not %U", expected, name.ptr());
  throw nb::python_error();
}
