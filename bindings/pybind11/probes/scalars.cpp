// Numbers through pybind11.
//
// Shows:  C functions bound as they are; the GIL released; keyword-only arguments with defaults.
// Build:  one of the sources of pybind11_add_module(... probes/*.cpp).
// Bites:  without noconvert() whatever has __int__ passes for an int, and is cut, and everything
//         has a truth value, None too; an int beyond 64 bits is a TypeError ("incompatible function
//         arguments"); the names of arguments are made into str anew for every call with keywords.
#include "probes.hpp"

void scalars(py::module_ &m) {
  m.def("noop", &ck_noop);
  m.def("noop_nogil", &ck_noop, py::call_guard<py::gil_scoped_release>());
  m.def("int_in", &ck_take_int, whole);
  m.def("int_out", &ck_give_int);
  m.def("invert", &ck_invert, py::arg().noconvert());
  m.def("add_int", &ck_add_int, whole, whole);
  m.def("add_float", &ck_add_float);
  m.def("six_scalars", &ck_six_scalars, whole, plain, whole, plain, whole, plain);
  m.def("keywords", &ck_keywords, py::arg("x"), py::kw_only(), py::arg("scale") = 1.0,
        py::arg("offset") = 0.0);
}
