// What the pages of the ledger share. A page is a function that adds its probes to the module.
#pragma once

#include <string_view>

#include "../common.hpp"

void scalars(nb::module_ &m);
void text(nb::module_ &m);
void arrays(nb::module_ &m);
void containers(nb::module_ &m);
void objects(nb::module_ &m);
void calls(nb::module_ &m);
void mixed(nb::module_ &m);
void tuned(nb::module_ &m);
void naive(nb::module_ &m);

// ---- arguments -----------------------------------------------------------------------------

// An array is taken as it is: left to itself, nanobind converts a copy to the right dtype. All
// arguments are annotated, or none, so any other one is `plain`.
constexpr auto as_it_is = nb::arg().noconvert();
constexpr nb::arg plain;

inline double to_double(nb::handle number) {
  double value = PyFloat_AsDouble(number.ptr());
  if (value == -1.0 && PyErr_Occurred())
    throw nb::python_error();
  return value;
}

inline const uint8_t *data_of(std::string_view bytes) {
  return reinterpret_cast<const uint8_t *>(bytes.data());
}

// The UTF-8 of a str, which keeps it.
inline std::string_view utf8(nb::handle text) {
  Py_ssize_t size;
  const char *data = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
  if (!data)
    throw nb::python_error();
  return {data, static_cast<size_t>(size)};
}

// ---- arrays --------------------------------------------------------------------------------

using Floats = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// The numbers of an array. No constraint of nb::ndarray asks for alignment.
template <class T, class... Options> T *floats(const nb::ndarray<T, Options...> &values) {
  if (reinterpret_cast<uintptr_t>(values.data()) % alignof(T) != 0)
    throw nb::value_error("values must be aligned");
  return values.data();
}

// A new array, and where to write its numbers. The memory is NumPy's: an nb::ndarray over memory of
// our own takes a capsule, a view and numpy.asarray.
struct NewFloats {
  nb::object array;
  double *data;

  NewFloats(const nb::object &numpy_empty, int64_t n) : array(numpy_empty(n)) {
    Py_buffer view;
    if (PyObject_GetBuffer(array.ptr(), &view, PyBUF_WRITABLE) != 0)
      throw nb::python_error();
    data = static_cast<double *>(view.buf);
    PyBuffer_Release(&view); // the array holds the memory, and only we hold the array
  }
};
