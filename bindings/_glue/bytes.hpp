// The bytes of a buffer or a text, by CPython's C API alone; pybind11 and nanobind include it.
#pragma once

#include <cstdint>
#include <string_view>

#include "cookbook.h"
#include "errors.hpp" // of the binding: how its tool throws

// Any C-contiguous buffer, borrowed until this is destroyed (with the GIL held). py::buffer's
// request() also asks for a format, which not every buffer has; nanobind has no class for buffers.
class Bytes {
public:
  explicit Bytes(PyObject *object) {
    if (PyObject_GetBuffer(object, &view, PyBUF_SIMPLE) == 0)
      return;
    if (PyErr_ExceptionMatches(PyExc_BufferError)) {
      PyObject *type, *value, *traceback;
      PyErr_Fetch(&type, &value, &traceback);
      PyErr_Format(PyExc_ValueError, "expected a C-contiguous buffer (%S)", value ? value : type);
      Py_XDECREF(type);
      Py_XDECREF(value);
      Py_XDECREF(traceback);
    }
    throw_raised();
  }
  Bytes(const Bytes &) = delete;
  ~Bytes() { PyBuffer_Release(&view); }

  const uint8_t *data() const { return static_cast<const uint8_t *>(view.buf); }
  size_t size() const { return static_cast<size_t>(view.len); }
  operator ck_bytes() const { return {data(), size()}; }

private:
  Py_buffer view;
};

inline const uint8_t *data_of(std::string_view bytes) {
  return reinterpret_cast<const uint8_t *>(bytes.data());
}

// The UTF-8 of a str, which keeps it alive.
inline std::string_view utf8(PyObject *text) {
  Py_ssize_t size;
  const char *data = PyUnicode_AsUTF8AndSize(text, &size);
  if (!data)
    throw_raised();
  return {data, static_cast<size_t>(size)};
}
