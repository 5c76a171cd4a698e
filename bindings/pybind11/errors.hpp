// Exceptions.
#pragma once

#include <pybind11/pybind11.h>

#include "cookbook.h"

namespace py = pybind11;

// Throw the Python exception that is set.
[[noreturn]] inline void throw_raised() { throw py::error_already_set(); }

// Throw the exception that ffi_cookbook.bindings.errors.<maker>(error, context) returns.
[[noreturn]] inline void raise_error(const char *maker, const ck_error &error,
                                     py::handle context = Py_None) {
  py::object exception = py::module_::import("ffi_cookbook.bindings.errors")
                             .attr(maker)(py::make_tuple(error.code, error.offset, error.record,
                                                         error.field, error.expected, error.actual),
                                          context);
  py::set_error(py::type::of(exception), exception);
  throw_raised();
}
