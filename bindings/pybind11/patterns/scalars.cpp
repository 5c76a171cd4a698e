// Numbers through pybind11.
//
// Shows:  C functions bound as they are; the GIL released; keyword-only arguments with defaults.
// Build:  one of the sources of pybind11_add_module(... patterns/*.cpp).
// Bites:  by default any object with __int__ passes for an int and is truncated, unless noconvert()
//         says otherwise, and an exception of __float__ is lost: hence our own casters
//         (numbers.hpp). A `bool` takes any object, even None, or with noconvert() numpy.bool too, a
//         py::bool_ takes no other; every call with keywords makes new str objects of the
//         arguments' names.
#include "../numbers.hpp"
#include "cookbook.h"

void scalars(py::module_ &m) {
  m.def("noop", &ck_noop, "noop()\n--\n\nDo nothing.");
  m.def("noop_nogil", &ck_noop, py::call_guard<py::gil_scoped_release>(),
        "noop_nogil()\n--\n\nDo nothing, with the GIL released.");
  m.def("int_in", &ck_take_int, "int_in(a, /)\n--\n\nTake an int64.");
  m.def("int_out", &ck_give_int, "int_out()\n--\n\nReturn an int64, 42.");
  m.def(
      "invert", [](const py::bool_ &flag) { return ck_invert(flag); },
      "invert(flag, /)\n--\n\nReturn the other truth value.");
  m.def("add_int", &ck_add_int, "add_int(a, b, /)\n--\n\nReturn a + b modulo 2**64.");
  m.def("add_float", &ck_add_float, "add_float(a, b, /)\n--\n\nReturn a + b.");
  m.def("six_scalars", &ck_six_scalars,
        "six_scalars(a, b, c, d, e, f, /)\n--\n\nReturn the sum of six numbers.");
  m.def("keywords", &ck_keywords, py::arg("x"), py::kw_only(), py::arg("scale") = 1.0,
        py::arg("offset") = 0.0,
        "keywords(x, *, scale=1.0, offset=0.0)\n--\n\nReturn x * scale + offset.");
}
