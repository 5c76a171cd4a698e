// The layout of a NumPy array of int64, uint32 or uint8.
#pragma once

#include <pybind11/numpy.h>

#include <cstdint>
#include <string>

namespace py = pybind11;

inline void check_contiguous(const py::array &array, const char *name) {
  auto item = static_cast<uintptr_t>(array.itemsize()); // a power of two, and the alignment
  bool aligned = (reinterpret_cast<uintptr_t>(array.data()) & (item - 1)) == 0 || array.size() == 0;
  if (!(array.flags() & py::array::c_style) || !aligned)
    throw py::value_error(std::string(name) + " must be C-contiguous and aligned");
}
