// The items of a list or tuple, held because the list can change.
#pragma once

#include <pybind11/pybind11.h>

namespace py = pybind11;

// Return the items as a plain tuple. py::tuple(items) of a subclass of tuple would be that
// subclass.
inline py::tuple tuple_of(py::handle items) {
  auto tuple = py::reinterpret_steal<py::tuple>(PySequence_Tuple(items.ptr()));
  if (!tuple)
    throw py::error_already_set();
  return tuple;
}
