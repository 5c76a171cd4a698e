// Text as bytes.
#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <string_view>

namespace py = pybind11;

inline const uint8_t *data_of(std::string_view bytes) {
  return reinterpret_cast<const uint8_t *>(bytes.data());
}

// The UTF-8 of a str, which keeps it alive.
inline std::string_view utf8(py::handle text) {
  Py_ssize_t size;
  const char *data = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
  if (!data)
    throw py::error_already_set();
  return {data, static_cast<size_t>(size)};
}
