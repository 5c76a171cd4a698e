// Exceptions.
#pragma once

#include <nanobind/nanobind.h>

#include "cookbook.h"

namespace nb = nanobind;

// Throw the Python exception that is set.
[[noreturn]] inline void throw_raised() { throw nb::python_error(); }

// Throw the exception that ffi_cookbook.bindings.errors.<maker>(error, context) returns.
[[noreturn]] inline void raise_error(const char *maker, const ck_error &error,
                                     nb::handle context = Py_None) {
  nb::object exception = nb::module_::import_("ffi_cookbook.bindings.errors")
                             .attr(maker)(nb::make_tuple(error.code, error.offset, error.record,
                                                         error.field, error.expected, error.actual),
                                          context);
  PyErr_SetObject(exception.type().ptr(), exception.ptr());
  throw_raised();
}
