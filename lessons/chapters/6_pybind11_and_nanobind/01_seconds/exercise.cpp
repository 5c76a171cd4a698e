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

#include "duration.h"

namespace nb = nanobind;
using namespace nb::literals;

NB_MODULE(exercise, m) {
  m.doc() = "Durations.";
  // TODO: the exception, then m.def(...) for each function and overload
}
