// One function for the two types of number, which returns what it was given.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/variant.h>

#include "duration.h"

namespace nb = nanobind;
using namespace nb::literals;

using Number = std::variant<std::int64_t, double>;

NB_MODULE(exercise, m) {
  nb::exception<duration::error> kind(m, "DurationError", PyExc_ValueError);
  kind.attr("__doc__") = "The text is not a duration.";
  m.def("seconds", [](Number value) { return value; }, "value"_a.noconvert());
  m.def("seconds", &duration::parse, "value"_a);
  m.def("clock", &duration::clock, "seconds"_a, nb::kw_only(), "separator"_a = ":",
        "hours"_a = true, R"(Return the seconds as a clock shows them.

Raises DurationError if they are negative.)");
}
