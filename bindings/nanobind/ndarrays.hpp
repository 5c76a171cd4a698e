// The check for a numpy.ndarray: nb::ndarray takes any object with DLPack or the buffer protocol.
#pragma once

#include <nanobind/nanobind.h>

namespace nb = nanobind;

// numpy.ndarray, found when the module is imported.
inline nb::handle ndarray_type;
inline void find_ndarray() {
  ndarray_type = nb::object(nb::module_::import_("numpy").attr("ndarray")).release();
}

inline bool is_ndarray(nb::handle object) {
  return PyObject_TypeCheck(object.ptr(), reinterpret_cast<PyTypeObject *>(ndarray_type.ptr()));
}

// Return the numpy.ndarray itself, or the memory of a subclass: nb::ndarray would call its
// __dlpack__ more than once, and believe each answer.
inline nb::object plain_array(nb::handle array, const char *name) {
  if (!is_ndarray(array))
    nb::raise_type_error("%s must be a numpy.ndarray", name);
  if (array.type().ptr() == ndarray_type.ptr())
    return nb::borrow(array);
  return nb::module_::import_("numpy").attr("asarray")(array);
}
