// Numbers through pybind11.
//
// Shows:  C functions bound as they are; the GIL released; keyword-only arguments with defaults.
// Build:  one of the sources of pybind11_add_module(... patterns/*.cpp).
// Bites:  left to pybind11 whatever has __int__ passes for an int, and is cut, unless noconvert()
//         says otherwise, and what __float__ raises is lost: hence casters of our own (patterns.hpp).
//         Without noconvert() everything has a truth value, None too; the names of arguments are
//         made into str anew for every call with keywords.
#include "patterns.hpp"

void scalars(py::module_ &m) {
  m.def("noop", &ck_noop);
  m.def("noop_nogil", &ck_noop, py::call_guard<py::gil_scoped_release>());
  m.def("int_in", &ck_take_int);
  m.def("int_out", &ck_give_int);
  m.def("invert", &ck_invert, py::arg().noconvert());
  m.def("add_int", &ck_add_int);
  m.def("add_float", &ck_add_float);
  m.def("six_scalars", &ck_six_scalars);
  m.def("keywords", &ck_keywords, py::arg("x"), py::kw_only(), py::arg("scale") = 1.0,
        py::arg("offset") = 0.0);
}
