// A translator of our own, and a class of exception that is made in Python's way.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include "duration.h"

namespace nb = nanobind;
using namespace nb::literals;

static void translate(const std::exception_ptr &thrown, void *kind) {
  try {
    std::rethrow_exception(thrown);
  } catch (const duration::error &error) {
    PyErr_SetString(static_cast<PyObject *>(kind), error.what());
  }
}

NB_MODULE(exercise, m) {
  nb::handle base(PyExc_ValueError);
  m.attr("DurationError") =
      nb::steal(PyErr_NewException("exercise.DurationError", base.ptr(), nullptr));
  nb::register_exception_translator(&translate, nb::object(m.attr("DurationError")).ptr());
  m.def("seconds", [](std::string_view text) { return duration::parse(text); }, "value"_a);
  m.def("seconds", [](nb::int_ value) { return value; }, "value"_a);
  m.def("seconds", [](nb::float_ value) { return value; }, "value"_a);
  m.def(
      "clock",
      [](std::int64_t seconds, std::string_view separator, bool hours) {
        return duration::clock(seconds, std::string(separator), hours);
      },
      "seconds"_a, nb::kw_only(), "separator"_a = ":", "hours"_a = true, "Show a duration.");
}
