// The items of a list or tuple, which a list can lose meanwhile.
#pragma once

#include <pybind11/pybind11.h>

namespace py = pybind11;

// The items of an object that is iterated over. py::tuple(items) of a subclass of tuple would be that
// subclass.
inline py::tuple tuple_of(py::handle items) {
  auto tuple = py::reinterpret_steal<py::tuple>(PySequence_Tuple(items.ptr()));
  if (!tuple)
    throw py::error_already_set();
  return tuple;
}
