// Ids on their way between the tokenizer kernel and NumPy, by NumPy's own API: nb::ndarray speaks
// DLPack and numpy.asarray, which take longer than encoding a short text.
#pragma once

#include <string>
#include <type_traits>

#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#include <numpy/arrayobject.h>

#include "bytes.hpp"

// A result.
template <class T> struct Array {
  static constexpr int type = std::is_same_v<T, uint32_t> ? NPY_UINT32 : NPY_INT64;
  nb::object object;
  T *data;

  // A new one of n items, with anything in them: memory never written to is never mapped.
  explicit Array(size_t n) {
    auto shape = static_cast<npy_intp>(n);
    object = nb::steal(PyArray_SimpleNew(1, &shape, type));
    if (!object.is_valid())
      throw nb::python_error();
    data = static_cast<T *>(PyArray_DATA(reinterpret_cast<PyArrayObject *>(object.ptr())));
  }

  // Its first n items, in place: nobody else has seen it.
  nb::object shortened(size_t n) {
    auto shape = static_cast<npy_intp>(n);
    PyArray_Dims dims{&shape, 1};
    auto array = reinterpret_cast<PyArrayObject *>(object.ptr());
    if (!nb::steal(PyArray_Resize(array, &dims, 0, NPY_CORDER)).is_valid())
      throw nb::python_error();
    return std::move(object);
  }
};

// A one-dimensional array of ids, in memory that stays the caller's.
struct Ids {
  uint32_t *data;
  size_t size;

  Ids(nb::handle object, const char *name, bool writable) {
    auto array = reinterpret_cast<PyArrayObject *>(object.ptr());
    if (!PyArray_Check(array) || PyArray_TYPE(array) != NPY_UINT32 || !PyArray_ISNOTSWAPPED(array))
      nb::raise_type_error("%s must be a numpy array of uint32", name);
    if (PyArray_NDIM(array) != 1)
      throw nb::value_error((std::string(name) + " must be one-dimensional").c_str());
    if (!PyArray_ISCARRAY_RO(array))
      throw nb::value_error((std::string(name) + " must be C-contiguous and aligned").c_str());
    if (writable && !PyArray_ISWRITEABLE(array))
      throw nb::value_error((std::string(name) + " must be writable").c_str());
    data = static_cast<uint32_t *>(PyArray_DATA(array));
    size = static_cast<size_t>(PyArray_DIM(array, 0));
  }
};

// The kernel reads the text while it writes the ids.
inline void check_apart(const Bytes &text, const Ids &ids) {
  const uint8_t *low = text.data(), *high = low + text.size();
  auto first = reinterpret_cast<const uint8_t *>(ids.data);
  auto end = reinterpret_cast<const uint8_t *>(ids.data + ids.size);
  if (low < high && first < end && low < end && first < high)
    throw nb::value_error("out must not overlap buffer");
}
