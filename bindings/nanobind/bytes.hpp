// The bytes of any buffer.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <string>

#include "cookbook.h"

namespace nb = nanobind;

// Any C-contiguous buffer, borrowed until this is destroyed (with the GIL held).
class Bytes {
public:
  explicit Bytes(nb::handle object) {
    if (PyObject_GetBuffer(object.ptr(), &view, PyBUF_SIMPLE) == 0)
      return;
    nb::python_error error;
    if (!error.matches(PyExc_BufferError))
      throw error;
    std::string message = std::string("expected a C-contiguous buffer (") + error.what() + ")";
    throw nb::value_error(message.c_str());
  }
  Bytes(const Bytes &) = delete;
  ~Bytes() { PyBuffer_Release(&view); }

  const uint8_t *data() const { return static_cast<const uint8_t *>(view.buf); }
  size_t size() const { return static_cast<size_t>(view.len); }
  operator ck_bytes() const { return {data(), size()}; }

private:
  Py_buffer view;
};
