// The bytes of any buffer.
#pragma once

#include <pybind11/pybind11.h>

#include <string>

#include "cookbook.h"

namespace py = pybind11;

// Any C-contiguous buffer, borrowed until this is destroyed (with the GIL held). py::buffer's
// request() also asks for a format, which not every buffer has.
class Bytes {
public:
  explicit Bytes(py::handle object) {
    if (PyObject_GetBuffer(object.ptr(), &view, PyBUF_SIMPLE) == 0)
      return;
    py::error_already_set error;
    if (error.matches(PyExc_BufferError))
      throw py::value_error("expected a C-contiguous buffer (" +
                            py::str(error.value()).cast<std::string>() + ")");
    throw error;
  }
  Bytes(const Bytes &) = delete;
  ~Bytes() { PyBuffer_Release(&view); }

  const uint8_t *data() const { return static_cast<const uint8_t *>(view.buf); }
  size_t size() const { return static_cast<size_t>(view.len); }
  operator ck_bytes() const { return {data(), size()}; }

private:
  Py_buffer view;
};
