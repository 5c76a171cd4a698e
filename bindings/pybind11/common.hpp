// What the four pages of this binding share.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/typing.h>

#include <stdexcept>

#include "cookbook.h"
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

// Raises what bindings.errors.<maker>(error, context) returns.
[[noreturn]] inline void raise_error(const char *maker, const ck_error &error,
                                     py::handle context = Py_None) {
  py::object exception = py::module_::import("bindings.errors")
                             .attr(maker)(py::make_tuple(error.code, error.offset, error.record,
                                                         error.field, error.expected, error.actual),
                                          context);
  py::set_error(py::type::of(exception), exception);
  throw py::error_already_set();
}

// Raises TypeError: what is expected, and of what type the object is, as `type(given).__name__`.
[[noreturn]] inline void refuse_type(const char *expected, py::handle given) {
  auto name = py::reinterpret_steal<py::object>(PyType_GetName(Py_TYPE(given.ptr())));
  if (name)
    PyErr_Format(PyExc_TypeError, "%s, not %U", expected, name.ptr());
  throw py::error_already_set();
}

// What iterating over an object gives. py::tuple(items) of a subclass of tuple is the subclass.
inline py::tuple tuple_of(py::handle items) {
  auto tuple = py::reinterpret_steal<py::tuple>(PySequence_Tuple(items.ptr()));
  if (!tuple)
    throw py::error_already_set();
  return tuple;
}

// From any object that is an index, however large: as a number, each tool has a range of its own.
inline int checked_threads(py::handle threads) {
  int overflow; // 1: more than a long holds, -1: less
  long n = PyLong_AsLongAndOverflow(threads.ptr(), &overflow);
  if (n == -1 && PyErr_Occurred())
    throw py::error_already_set();
  if (n < 1 && overflow <= 0)
    throw py::value_error("threads must be at least 1, not " +
                          py::str(threads).cast<std::string>());
  return static_cast<int>(overflow || n > CK_MAX_THREADS ? CK_MAX_THREADS : n);
}

// From any object that is an index and fits; py::int_ as an argument would also take a float.
inline int64_t checked_int64(py::handle number) {
  long long n = PyLong_AsLongLong(number.ptr());
  if (n == -1 && PyErr_Occurred())
    throw py::error_already_set();
  return n;
}

// From any object that is an index and fits 32 bits without a sign.
inline uint32_t checked_uint32(py::handle number, const char *name) {
  int64_t n = checked_int64(number);
  if (n < 0 || n > UINT32_MAX)
    throw std::overflow_error(std::string(name) + " must fit 32 bits");
  return static_cast<uint32_t>(n);
}

// Any C-contiguous buffer, borrowed until this is destroyed (with the GIL held). py::buffer's own
// request() asks for a format as well, which not every buffer has.
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

inline void check_contiguous(const py::array &array, const char *name) {
  constexpr int wanted = py::array::c_style | py::detail::npy_api::NPY_ARRAY_ALIGNED_;
  if ((array.flags() & wanted) != wanted)
    throw py::value_error(std::string(name) + " must be C-contiguous and aligned");
}
