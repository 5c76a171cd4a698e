#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include "duration.h"

namespace nb = nanobind;
using namespace nb::literals;

NB_MODULE(exercise, m) {
  m.doc() = "Durations.";
  nb::exception<duration::error>(m, "DurationError", PyExc_ValueError);
  m.def("seconds", &duration::parse, "value"_a, "Return the seconds in a text such as '1h30m'.");
  m.def("seconds", [](std::int64_t value) { return value; }, "value"_a);
  m.def("seconds", [](double value) { return value; }, "value"_a);
  m.def("clock", &duration::clock, "seconds"_a, nb::kw_only(), "separator"_a = ":",
        "hours"_a = true, "Return the seconds as hours, minutes and seconds.");
}
