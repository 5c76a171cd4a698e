// Arrays as arguments and results.
#pragma once

#include <nanobind/ndarray.h>

#include <cstdint>
#include <string>

#include "../ndarrays.hpp"

using Floats = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

inline nb::object capsule_of(nb::handle tensor) {
  try {
    return tensor.attr("__dlpack__")();
  } catch (const nb::python_error &error) {
    if (error.matches(PyExc_AttributeError) && !nb::hasattr(tensor, "__dlpack__"))
      throw nb::type_error("expected a tensor");
    if (!error.matches(PyExc_BufferError))
      throw;
  }
  return tensor.attr("__dlpack__")(nb::arg("max_version") = nb::make_tuple(1, 0)); // read-only
}

// Pass a subclass as a plain array; a tensor as a capsule, which nanobind marks as used; any other
// buffer as a memoryview, which has strides even if the buffer, of a NumPy scalar, has none.
inline nb::object exported(nb::handle object, const char *name) {
  if (is_ndarray(object))
    return plain_array(object, name);
  if (nb::hasattr(object.type(), "__dlpack__"))
    return capsule_of(object);
  if (!PyObject_CheckBuffer(object.ptr()))
    return nb::borrow(object);
  nb::object view = nb::steal(PyMemoryView_FromObject(object.ptr()));
  if (!view.is_valid())
    throw nb::python_error();
  return view;
}

// Borrow an array of any library. As an argument, an nb::ndarray frees a tensor twice if __dlpack__
// returns the same capsule twice, drops the exceptions of __dlpack__, and reads strides that a
// buffer does not have; by default it also takes a copy that was converted to the right dtype.
template <class Array> Array borrowed(nb::handle object, const char *name = "values") {
  Array array;
  if (!nb::try_cast(exported(object, name), array, false))
    nb::raise_type_error("%s must be a 1-D float64 array on the CPU%s%s", name,
                         Array::Order == 'C' ? ", C-contiguous" : "",
                         Array::ReadOnly ? "" : ", writable");
  return array;
}

// The numbers of an array, after checks of its alignment and size, which nb::ndarray trusts.
template <class T, class... Options>
T *floats(const nb::ndarray<T, Options...> &values, const char *name = "values") {
  auto at = reinterpret_cast<uintptr_t>(values.data());
  if (values.size() > PTRDIFF_MAX / sizeof(T) || (values.size() != 0 && (!at || at % alignof(T))))
    throw nb::value_error(
        (std::string(name) + " must be aligned, and have a size that can be in memory").c_str());
  return values.data();
}

// The memory of a new NumPy array, at a lower cost than a capsule, an nb::ndarray and asarray.
inline double *memory_of(const nb::object &new_array) {
  Py_buffer view;
  if (PyObject_GetBuffer(new_array.ptr(), &view, PyBUF_WRITABLE) != 0)
    throw nb::python_error();
  PyBuffer_Release(&view); // the array owns the memory, and only we hold the array
  return static_cast<double *>(view.buf);
}
