// An exception where pybind11 would use an object that was never initialised.
#pragma once

#include <pybind11/pybind11.h>

namespace py = pybind11;

// As custom_type_setup: give a class a __new__ of its own, the same as it would inherit. pickle's
// protocols 0 and 1 call the last base that has one, and the base of all pybind11 classes ends the
// process if it is called (pybind11 issue 6153). That base belongs to every module: leave it alone.
inline void own_new(PyHeapTypeObject *type) {
  type->ht_type.tp_new = type->ht_type.tp_base->tp_new;
}

// An object made by __new__ without __init__ has no T: pybind11 allocates an uninitialised one at
// its first use. After this is called, once T has its class, such a use raises TypeError. So does
// an assignment to __class__, by which a T would be read as a struct of another class.
template <class T> void needs_init() {
  py::detail::type_info *info = py::detail::get_type_info(typeid(T));
  info->type->tp_flags |= Py_TPFLAGS_IMMUTABLETYPE;
  info->operator_new = [](size_t) -> void * { throw py::type_error("__init__ was not called"); };
}
