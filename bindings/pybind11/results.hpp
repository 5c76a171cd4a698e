// Arrays that the tokenizer returns.
#pragma once

#include <pybind11/numpy.h>

namespace py = pybind11;

// A new array of n uninitialised items. The system maps no memory that is never written to.
template <class T> py::array_t<T> new_array(size_t n) {
  return py::array_t<T>(static_cast<py::ssize_t>(n));
}

// Shorten it to n items, in place: nobody else has seen it.
template <class T> py::array_t<T> shortened(py::array_t<T> array, size_t n) {
  array.resize({n}, false);
  return array;
}
