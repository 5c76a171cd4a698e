// A module of this binding.
#pragma once

#include "guard.hpp"

// What each module promises: safe without the GIL; not in subinterpreters, because NumPy is not.
#define COOKBOOK_MODULE(page, m)                                                                   \
  static void fill(py::module_ &m);                                                                \
  PYBIND11_MODULE(page, m, py::mod_gil_not_used(), py::multiple_interpreters::not_supported()) {   \
    py::options options;                                                                           \
    options.disable_function_signatures(); /* docstrings give them, for inspect.signature */       \
    fill(m);                                                                                       \
    guard(m.attr("__dict__"));                                                                     \
  }                                                                                                \
  static void fill(py::module_ &m)
