// The memory of a NumPy array.
#pragma once

#include <nanobind/ndarray.h>

#include "ndarrays.hpp"

// A C-contiguous numpy.ndarray of T. Another type or dtype raises TypeError; a read-only,
// misaligned or non-contiguous array raises ValueError. (As the type of an argument, nb::ndarray
// would raise TypeError for each.)
template <class T>
nb::ndarray<T, nb::c_contig, nb::device::cpu> ndarray_of(nb::handle object, const char *name) {
  nb::ndarray<const T, nb::device::cpu> any;
  nb::ndarray<T, nb::c_contig, nb::device::cpu> array;
  nb::object plain = plain_array(object, name);
  if (!nb::try_cast(plain, any, false))
    nb::raise_type_error("%s must be an array of the right dtype", name);
  bool misaligned = reinterpret_cast<uintptr_t>(any.data()) % sizeof(T) != 0 && any.size() != 0;
  if (misaligned || !nb::try_cast(plain, array, false)) {
    PyErr_Format(PyExc_ValueError, "%s must be C-contiguous, aligned, and writable if it is filled",
                 name);
    throw nb::python_error();
  }
  return array;
}
