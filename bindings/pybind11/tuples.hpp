// The items of a list or tuple, which a list can lose meanwhile.
#pragma once

#include <pybind11/pybind11.h>

namespace py = pybind11;

// What iterating over an object gives. py::tuple(items) of a subclass of tuple is the subclass.
inline py::tuple tuple_of(py::handle items) {
  auto tuple = py::reinterpret_steal<py::tuple>(PySequence_Tuple(items.ptr()));
  if (!tuple)
    throw py::error_already_set();
  return tuple;
}
