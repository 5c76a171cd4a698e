// A module of this binding.
#pragma once

#include "guard.hpp"

// The promises of each module: it needs no GIL, and does not support subinterpreters, because NumPy
// does not.
#define COOKBOOK_MODULE(page, m)                                                                   \
  static void fill(py::module_ &m);                                                                \
  PYBIND11_MODULE(page, m, py::mod_gil_not_used(), py::multiple_interpreters::not_supported()) {   \
    py::options options;                                                                           \
    options.disable_function_signatures(); /* for inspect.signature docstrings have them */        \
    fill(m);                                                                                       \
    guard(m.attr("__dict__"));                                                                     \
  }                                                                                                \
  static void fill(py::module_ &m)
