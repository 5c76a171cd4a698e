// Arrays that the tokenizer returns, through NumPy's own API: nb::ndarray uses DLPack and
// numpy.asarray, which take longer than encoding a short text.
#pragma once

#include <type_traits>

#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#include <numpy/arrayobject.h>

#include <nanobind/nanobind.h>

namespace nb = nanobind;

// A result.
template <class T> struct Array {
  static constexpr int type = std::is_same_v<T, uint32_t> ? NPY_UINT32 : NPY_INT64;
  nb::object object;
  T *data;

  // A new array of n uninitialised items. The system maps no memory that is never written to.
  explicit Array(size_t n) {
    auto shape = static_cast<npy_intp>(n);
    object = nb::steal(PyArray_SimpleNew(1, &shape, type));
    if (!object.is_valid())
      throw nb::python_error();
    data = static_cast<T *>(PyArray_DATA(reinterpret_cast<PyArrayObject *>(object.ptr())));
  }

  // Shorten it to n items, in place: nobody else has seen it.
  nb::object shortened(size_t n) {
    auto shape = static_cast<npy_intp>(n);
    PyArray_Dims dims{&shape, 1};
    auto array = reinterpret_cast<PyArrayObject *>(object.ptr());
    if (!nb::steal(PyArray_Resize(array, &dims, 0, NPY_CORDER)).is_valid())
      throw nb::python_error();
    return std::move(object);
  }
};
