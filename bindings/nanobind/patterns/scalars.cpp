// Numbers through nanobind.
//
// Shows:  C functions bound as they are, as nanobind's documentation has it, and with numbers that
//         let exceptions through (numbers.hpp); the GIL released; keyword-only arguments with
//         defaults.
// Build:  one of the sources of nanobind_add_module(... NOMINSIZE patterns/*.cpp).
// Bites:  C functions can be bound as they are, but then an exception of __float__ is lost, and an
//         int beyond 64 bits raises TypeError ("incompatible function arguments"); numpy.bool is
//         not accepted as a bool; without NOMINSIZE everything is built for size (-Os).
#include "../numbers.hpp"
#include "cookbook.h"

void scalars(nb::module_ &m, nb::module_ &idiomatic) {
  // ---- as documented -----------------------------------------------------------------------
  idiomatic.def("int_in", &ck_take_int, "Take any object with __index__, and lose its exception.");
  idiomatic.def("add_int", &ck_add_int, nb::arg("a"), nb::arg("b"), "Convert as int_in does.");
  idiomatic.def("add_float", &ck_add_float, nb::arg("a"), nb::arg("b"),
                "Take any object with __float__, and lose its exception.");
  idiomatic.def("six_scalars", &ck_six_scalars, "Convert as int_in and add_float do.");
  idiomatic.def("keywords", &ck_keywords, nb::arg("x"), nb::kw_only(), nb::arg("scale") = 1.0,
                nb::arg("offset") = 0.0, "Convert as add_float does.");

  // ---- checked -----------------------------------------------------------------------------
  m.def("noop", &ck_noop, "Do nothing.");
  m.def("noop_nogil", &ck_noop, nb::call_guard<nb::gil_scoped_release>(),
        "Do nothing, with the GIL released.");
  m.def("int_in", numbers(&ck_take_int), nb::sig("def int_in(a: int, /) -> None"),
        "Take an int64.");
  m.def("int_out", &ck_give_int, "Return an int64, 42.");
  m.def("invert", &ck_invert, nb::sig("def invert(flag: bool, /) -> bool"),
        "Return the other truth value.");
  m.def("add_int", numbers(&ck_add_int), nb::sig("def add_int(a: int, b: int, /) -> int"),
        "Return a + b modulo 2**64.");
  m.def("add_float", numbers(&ck_add_float),
        nb::sig("def add_float(a: float, b: float, /) -> float"), "Return a + b.");
  m.def(
      "six_scalars", numbers(&ck_six_scalars),
      nb::sig("def six_scalars(a: int, b: float, c: int, d: float, e: int, f: float, /) -> float"),
      "Return the sum of six numbers.");
  m.def("keywords", numbers(&ck_keywords), nb::arg("x"), nb::kw_only(), nb::arg("scale") = 1.0,
        nb::arg("offset") = 0.0, "Return x * scale + offset.");
}
