// The layout of a NumPy array.
#pragma once

#include <pybind11/numpy.h>

#include <string>

namespace py = pybind11;

inline void check_contiguous(const py::array &array, const char *name) {
  constexpr int wanted = py::array::c_style | py::detail::npy_api::NPY_ARRAY_ALIGNED_;
  if ((array.flags() & wanted) != wanted)
    throw py::value_error(std::string(name) + " must be C-contiguous and aligned");
}
