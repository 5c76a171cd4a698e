// The number of threads as an argument.
#pragma once

#include <pybind11/pybind11.h>

#include <string>

#include "cookbook.h"

namespace py = pybind11;

// Convert any object with __index__, however large: for a number, each tool has its own range.
inline int checked_threads(py::handle threads) {
  int overflow; // 1: more than a long holds, -1: less
  long n = PyLong_AsLongAndOverflow(threads.ptr(), &overflow);
  if (n == -1 && PyErr_Occurred())
    throw py::error_already_set();
  if (n < 1 && overflow <= 0)
    throw py::value_error("threads must be at least 1, not " +
                          py::str(threads).cast<std::string>());
  return static_cast<int>(overflow || n > CK_MAX_THREADS ? CK_MAX_THREADS : n);
}
