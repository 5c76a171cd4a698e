// A module of this binding.
#pragma once

#include "guard.hpp"

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
