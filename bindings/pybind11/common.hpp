// What the four pages of this door share.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include "cookbook.h"

namespace py = pybind11;

// What each module promises: safe without the GIL; not in subinterpreters, because NumPy is not.
#define COOKBOOK_MODULE(page, m)                                                                   \
  PYBIND11_MODULE(page, m, py::mod_gil_not_used(), py::multiple_interpreters::not_supported())

// Raises what bindings.errors.<maker>(error, context) returns.
[[noreturn]] inline void raise_error(const char *maker, const ck_error &error, py::handle context) {
  py::object exception = py::module_::import("bindings.errors")
                             .attr(maker)(py::make_tuple(error.code, error.offset, error.record,
                                                         error.field, error.expected, error.actual),
                                          context);
  py::set_error(py::type::of(exception), exception);
  throw py::error_already_set();
}

inline int checked_threads(long threads) {
  if (threads < 1)
    throw py::value_error("threads must be at least 1");
  return threads > 1024 ? 1024 : static_cast<int>(threads);
}

// Any C-contiguous buffer, borrowed.
struct Bytes {
  py::buffer_info info; // keeps the buffer exported
  const uint8_t *data;
  size_t size;

  explicit Bytes(const py::buffer &buffer) : info(buffer.request()) {
    py::ssize_t expected = info.itemsize;
    for (py::ssize_t i = info.ndim; i-- > 0; expected *= info.shape[i])
      if (info.shape[i] != 1 && info.size != 0 && info.strides[i] != expected)
        throw py::value_error("expected a C-contiguous buffer");
    data = static_cast<const uint8_t *>(info.ptr);
    size = static_cast<size_t>(info.size * info.itemsize);
  }
};

inline void check_contiguous(const py::array &array, const char *name) {
  constexpr int wanted = py::array::c_style | py::detail::npy_api::NPY_ARRAY_ALIGNED_;
  if ((array.flags() & wanted) != wanted)
    throw py::value_error(std::string(name) + " must be C-contiguous and aligned");
}
