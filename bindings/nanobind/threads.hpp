// The number of threads as an argument.
#pragma once

#include <nanobind/nanobind.h>

#include <string>

#include "cookbook.h"

namespace nb = nanobind;

// Convert any object with __index__, however large: for a number, each tool has its own range.
inline int checked_threads(nb::handle threads) {
  int overflow; // 1: more than a long holds, -1: less
  long n = PyLong_AsLongAndOverflow(threads.ptr(), &overflow);
  if (n == -1 && PyErr_Occurred())
    throw nb::python_error();
  if (n < 1 && overflow <= 0)
    throw nb::value_error(
        (std::string("threads must be at least 1, not ") + nb::str(threads).c_str()).c_str());
  return static_cast<int>(overflow || n > CK_MAX_THREADS ? CK_MAX_THREADS : n);
}
