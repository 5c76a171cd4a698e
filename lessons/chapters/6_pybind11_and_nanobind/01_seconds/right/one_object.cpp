// One function that looks at the type itself, instead of three overloads.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "duration.h"

namespace nb = nanobind;
using namespace nb::literals;

static nb::object seconds(nb::object value) {
  if (nb::isinstance<nb::str>(value))
    return nb::cast(duration::parse(nb::cast<std::string>(value)));
  if (nb::isinstance<nb::int_>(value) || nb::isinstance<nb::float_>(value))
    return value;
  throw nb::type_error("value must be a str, an int or a float");
}

NB_MODULE(exercise, m) {
  nb::exception<duration::error>(m, "DurationError", nb::handle(PyExc_ValueError));
  m.def("seconds", &seconds, nb::arg("value"));
  m.def("clock", &duration::clock, nb::arg("seconds"), nb::kw_only(), nb::arg("separator") = ":",
        nb::arg("hours") = true, "Return the time of day after so many seconds.");
}
