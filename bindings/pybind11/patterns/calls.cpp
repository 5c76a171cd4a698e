// Calling back, failing and being interrupted through pybind11.
//
// Shows:  a Python function called by C; an error code turned into an exception, and into one with
//         fields; long work that Ctrl-C can stop.
// Build:  one of the sources of pybind11_add_module(... patterns/*.cpp).
// Bites:  a C++ exception must not cross frames of C, but a Python error, once set, waits; every
//         exception but error_already_set is offered to the translators of every loaded pybind11
//         module, one throw each; a static py::object would outlive the interpreter, the captures
//         of a lambda die with its function.
#include <algorithm>

#include "../numbers.hpp"
#include "cookbook.h"

// Called by C, any number of times. Python's first error stays set, and nothing more is called.
static double call_python(double x, void *function) {
  if (PyErr_Occurred())
    return -1.0;
  auto argument = py::reinterpret_steal<py::object>(PyFloat_FromDouble(x));
  if (!argument)
    return -1.0;
  PyObject *callable = static_cast<PyObject *>(function);
  auto result = py::reinterpret_steal<py::object>(PyObject_CallOneArg(callable, argument.ptr()));
  return result ? PyFloat_AsDouble(result.ptr()) : -1.0;
}

static double callback(const py::function &function, double x) {
  double result = ck_call(call_python, function.ptr(), x);
  if (PyErr_Occurred())
    throw py::error_already_set();
  return result;
}

static void error(int code) {
  int status = ck_fail(code);
  if (status == 0)
    return;
  PyErr_Format(PyExc_ValueError, "native call failed with code %d", status);
  throw py::error_already_set();
}

static void error_fields(const py::object &exception, int code, int64_t offset) {
  ck_failure failure;
  if (ck_fail_at(code, offset, &failure) == 0)
    return;
  py::set_error(exception, py::make_tuple(failure.code, failure.offset));
  throw py::error_already_set();
}

static uint64_t interruptible(uint64_t rounds) {
  uint64_t state = 1;
  while (true) {
    if (PyErr_CheckSignals() != 0)
      throw py::error_already_set();
    if (rounds == 0)
      return state;
    uint64_t slice = std::min<uint64_t>(rounds, 65536);
    rounds -= slice;
    py::gil_scoped_release release;
    state = ck_work(state, slice);
  }
}

void calls(py::module_ &m) {
  m.def("callback", &callback, "callback(function, x, /)\n--\n\nReturn function(x) + 1.");
  m.def("error", &error, "error(code, /)\n--\n\nRaise ValueError if the native function fails.");
  py::object exception = py::module_::import("ffi_cookbook.bindings.errors").attr("PatternError");
  m.def(
      "error_fields",
      [exception](int code, int64_t offset) { error_fields(exception, code, offset); },
      "error_fields(code, offset, /)\n--\n\nRaise PatternError if the native function fails.");
  m.def("interruptible", &interruptible,
        "interruptible(rounds, /)\n--\n\nReturn the state of xorshift64 after some rounds, unless "
        "Ctrl-C stops it.");
}
