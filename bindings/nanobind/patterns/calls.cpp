// Calling back, failing and being interrupted through nanobind.
//
// Shows:  a std::function and a C++ exception, as nanobind's documentation has them; a Python function
//         called by C; an error code turned into an exception, and into one with fields; long work
//         that Ctrl-C can stop.
// Build:  one of the sources of nanobind_add_module(... NOMINSIZE patterns/*.cpp).
// Bites:  a C++ exception must not cross frames of C, but a Python error, once set, waits;
//         nanobind's own exceptions are quicker than those of the standard library, which are
//         offered to every exception translator, one throw each; a static nb::object would outlive
//         the interpreter, the captures of a lambda die with its function.
#include <nanobind/stl/function.h>

#include <algorithm>
#include <stdexcept>
#include <string>

#include "../../_glue/idiomatic.hpp"
#include "../numbers.hpp"
#include "cookbook.h"

// ---- as documented -------------------------------------------------------------------------

static void idiomatic_error(int code) {
  if (int status = ck_fail(code); status != 0)
    throw std::invalid_argument("native call failed with code " + std::to_string(status));
}

// ---- checked -------------------------------------------------------------------------------
// A std::function copies the function and its result may not be a float; an exception of the standard
// library is offered to every exception translator.

// Called by C, any number of times. Python's first error stays set, and nothing more is called.
static double call_python(double x, void *function) {
  if (PyErr_Occurred())
    return -1.0;
  nb::object argument = nb::steal(PyFloat_FromDouble(x));
  if (!argument.is_valid())
    return -1.0;
  PyObject *callable = static_cast<PyObject *>(function);
  nb::object result = nb::steal(PyObject_CallOneArg(callable, argument.ptr()));
  return result.is_valid() ? PyFloat_AsDouble(result.ptr()) : -1.0;
}

static double callback(const nb::callable &function, Float x) {
  double result = ck_call(call_python, function.ptr(), value_of(x));
  if (PyErr_Occurred())
    throw nb::python_error();
  return result;
}

static void error(Number<int> code) {
  if (int status = ck_fail(value_of(code)); status != 0)
    throw nb::value_error(("native call failed with code " + std::to_string(status)).c_str());
}

static void error_fields(const nb::object &exception, Number<int> code, Int offset) {
  int number = value_of(code);
  ck_failure failure;
  if (ck_fail_at(number, value_of(offset), &failure) == 0)
    return;
  PyErr_SetObject(exception.ptr(), nb::make_tuple(failure.code, failure.offset).ptr());
  throw nb::python_error();
}

static uint64_t interruptible(Number<uint64_t> number) {
  uint64_t rounds = value_of(number);
  uint64_t state = 1;
  while (true) {
    if (PyErr_CheckSignals() != 0)
      throw nb::python_error();
    if (rounds == 0)
      return state;
    uint64_t slice = std::min<uint64_t>(rounds, 65536);
    rounds -= slice;
    nb::gil_scoped_release release;
    state = ck_work(state, slice);
  }
}

void calls(nb::module_ &m, nb::module_ &idiomatic) {
  idiomatic.def("callback", &idioms::callback, nb::arg("function"), nb::arg("x"),
                "Copy the function into a std::function, which acquires the GIL for each call; a "
                "result of another type is a RuntimeError.");
  idiomatic.def("error", &idiomatic_error, nb::arg("code"),
                "Throw a C++ exception, which is offered to every exception translator.");
  m.def(
      "callback", &callback,
      nb::sig(
          "def callback(function: collections.abc.Callable[[float], float], x: float, /) -> float"),
      "Return function(x) + 1.");
  m.def("error", &error, nb::sig("def error(code: int, /) -> None"),
        "Raise ValueError if the native function fails.");
  nb::object exception = nb::module_::import_("ffi_cookbook.bindings.errors").attr("PatternError");
  m.def(
      "error_fields",
      [exception](Number<int> code, Int offset) { error_fields(exception, code, offset); },
      nb::sig("def error_fields(code: int, offset: int, /) -> None"),
      "Raise PatternError if the native function fails.");
  m.def("interruptible", &interruptible, nb::sig("def interruptible(rounds: int, /) -> int"),
        "Return the state of xorshift64 after some rounds, unless Ctrl-C stops it.");
}
