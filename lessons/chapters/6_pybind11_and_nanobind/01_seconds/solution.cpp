// Write a module with two functions and an exception, over the C++ functions of duration.h.
//
//   >>> exercise.seconds("1h30m"), exercise.seconds(90), exercise.seconds(1.5)
//   (5400, 90, 1.5)
//   >>> exercise.clock(seconds=5400, separator=".")
//   '01.30.00'
//   >>> exercise.seconds("soon")
//   exercise.DurationError: not a duration: soon
//
//   - seconds(value) is three overloads: a str is parsed, an int and a float are returned as they
//     are, with their type.
//   - clock(seconds, *, separator=":", hours=True) has arguments with these names, of which the
//     last two can only be given by name, and a docstring.
//   - duration::error becomes exercise.DurationError, which is derived from ValueError.
#include <nanobind/nanobind.h>
// BEGIN SOLUTION
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
// END SOLUTION

#include "duration.h"

namespace nb = nanobind;
using namespace nb::literals;

NB_MODULE(exercise, m) {
  m.doc() = "Durations.";
  //: // TODO: the exception, then m.def(...) for each function and overload
  // BEGIN SOLUTION
  nb::exception<duration::error>(m, "DurationError", PyExc_ValueError);
  m.def("seconds", &duration::parse, "value"_a, "Return the seconds in a text such as '1h30m'.");
  m.def("seconds", [](std::int64_t value) { return value; }, "value"_a);
  m.def("seconds", [](double value) { return value; }, "value"_a);
  m.def("clock", &duration::clock, "seconds"_a, nb::kw_only(), "separator"_a = ":",
        "hours"_a = true, "Return the seconds as hours, minutes and seconds.");
  // END SOLUTION
}
