// What the four pages of this binding share.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "cookbook.h"

namespace nb = nanobind;

// Raises what bindings.errors.<maker>(error, context) returns.
[[noreturn]] inline void raise_error(const char *maker, const ck_error &error,
                                     nb::handle context = Py_None) {
  nb::object exception = nb::module_::import_("bindings.errors")
                             .attr(maker)(nb::make_tuple(error.code, error.offset, error.record,
                                                         error.field, error.expected, error.actual),
                                          context);
  PyErr_SetObject(exception.type().ptr(), exception.ptr());
  throw nb::python_error();
}

inline nb::builtin_exception value_error(const std::string &message) {
  return nb::value_error(message.c_str());
}

// Raises TypeError: what is expected, and of what type the object is, as `type(given).__name__`.
[[noreturn]] inline void refuse_type(const char *expected, nb::handle given) {
  nb::object name = nb::steal(PyType_GetName(Py_TYPE(given.ptr())));
  if (name.is_valid())
    PyErr_Format(PyExc_TypeError, "%s, not %U", expected, name.ptr());
  throw nb::python_error();
}

// From any object that is an index, however large: as a number, each tool has a range of its own.
inline int checked_threads(nb::handle threads) {
  int overflow; // 1: more than a long holds, -1: less
  long n = PyLong_AsLongAndOverflow(threads.ptr(), &overflow);
  if (n == -1 && PyErr_Occurred())
    throw nb::python_error();
  if (n < 1 && overflow <= 0)
    throw value_error(std::string("threads must be at least 1, not ") + nb::str(threads).c_str());
  return static_cast<int>(overflow || n > CK_MAX_THREADS ? CK_MAX_THREADS : n);
}

// From any object that is an index and fits, else OverflowError.
inline int64_t checked_int64(nb::handle number) {
  long long n = PyLong_AsLongLong(number.ptr());
  if (n == -1 && PyErr_Occurred())
    throw nb::python_error();
  return n;
}

// From any object that is an index and fits 32 bits without a sign.
inline uint32_t checked_uint32(nb::handle number, const char *name) {
  int64_t n = checked_int64(number);
  if (n < 0 || n > UINT32_MAX)
    throw std::overflow_error(std::string(name) + " must fit 32 bits");
  return static_cast<uint32_t>(n);
}

// numpy.ndarray, found when the module is imported. nb::ndarray takes whatever speaks DLPack or the
// buffer protocol.
inline nb::handle ndarray_type;
inline void find_ndarray() {
  ndarray_type = nb::object(nb::module_::import_("numpy").attr("ndarray")).release();
}

inline bool is_ndarray(nb::handle object) {
  return PyObject_TypeCheck(object.ptr(), reinterpret_cast<PyTypeObject *>(ndarray_type.ptr()));
}

inline void check_ndarray(nb::handle object, const std::string &name) {
  if (!is_ndarray(object))
    throw nb::type_error((name + " must be a numpy.ndarray").c_str());
}

// An array of T as the constraints in Options want it: another dtype is a TypeError, a read-only,
// misaligned or otherwise laid out one a ValueError. (As the type of an argument, every one of
// these would be a TypeError.)
template <class T, class... Options>
nb::ndarray<T, Options..., nb::device::cpu> array_of(nb::handle object, const std::string &name) {
  nb::ndarray<const T, nb::device::cpu> any;
  nb::ndarray<T, Options..., nb::device::cpu> array;
  if (!nb::try_cast(object, any, false))
    throw nb::type_error((name + " must be an array of the right dtype").c_str());
  bool misaligned = reinterpret_cast<uintptr_t>(any.data()) % sizeof(T) != 0 && any.size() != 0;
  if (misaligned || !nb::try_cast(object, array, false))
    throw value_error(name + " must be C-contiguous, aligned, and writable if it is filled");
  return array;
}

// The numpy.ndarray itself, or the memory of a subclass: nb::ndarray would ask its __dlpack__, more
// than once, and believe each answer.
inline nb::object plain_array(nb::handle array) {
  if (array.type().ptr() == ndarray_type.ptr())
    return nb::borrow(array);
  return nb::module_::import_("numpy").attr("asarray")(array);
}

// A C-contiguous numpy.ndarray of T.
template <class T> auto ndarray_of(nb::handle object, const char *name) {
  check_ndarray(object, name);
  return array_of<T, nb::c_contig>(plain_array(object), name);
}

// Any C-contiguous buffer, borrowed until this is destroyed (with the GIL held).
class Bytes {
public:
  explicit Bytes(nb::handle object) {
    if (PyObject_GetBuffer(object.ptr(), &view, PyBUF_SIMPLE) == 0)
      return;
    nb::python_error error;
    if (error.matches(PyExc_BufferError))
      throw value_error(std::string("expected a C-contiguous buffer (") + error.what() + ")");
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
