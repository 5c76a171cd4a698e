// Numbers through nanobind.
//
// Shows:  C functions bound, with numbers that let exceptions through (patterns.hpp); the GIL released; keyword-only arguments with defaults.
// Build:  one of the sources of nanobind_add_module(... NOMINSIZE patterns/*.cpp).
// Bites:  C functions can be bound as they are, but then what __float__ raises is lost; an int beyond 64 bits is a TypeError ("incompatible function arguments"); numpy.bool is
//         no bool here; without NOMINSIZE all is built for size (-Os).
#include "patterns.hpp"

void scalars(nb::module_ &m) {
  m.def("noop", &ck_noop);
  m.def("noop_nogil", &ck_noop, nb::call_guard<nb::gil_scoped_release>());
  m.def("int_in", numbers(&ck_take_int));
  m.def("int_out", &ck_give_int);
  m.def("invert", &ck_invert);
  m.def("add_int", numbers(&ck_add_int));
  m.def("add_float", numbers(&ck_add_float));
  m.def("six_scalars", numbers(&ck_six_scalars));
  m.def("keywords", numbers(&ck_keywords), nb::arg("x"), nb::kw_only(), nb::arg("scale") = 1.0,
        nb::arg("offset") = 0.0);
}
