// Text as bytes.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <string_view>

namespace nb = nanobind;

inline const uint8_t *data_of(std::string_view bytes) {
  return reinterpret_cast<const uint8_t *>(bytes.data());
}

// The UTF-8 of a str, which keeps it alive.
inline std::string_view utf8(nb::handle text) {
  Py_ssize_t size;
  const char *data = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
  if (!data)
    throw nb::python_error();
  return {data, static_cast<size_t>(size)};
}
