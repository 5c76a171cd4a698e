// The quickest calls through nanobind with the same arguments, and their price.
//
// Shows:  an array borrowed by the buffer protocol; an iterator by the slots of its type; a failure
//         without a C++ exception.
// Build:  one of the sources of nanobind_add_module(... NOMINSIZE patterns/*.cpp).
// Bites:  a slot is called by C and a type caster is noexcept: nothing may be thrown in either.
#include <string_view>

#include "../classes.hpp"
#include "../numbers.hpp"
#include "cookbook.h"

// ---- arrays --------------------------------------------------------------------------------

static bool is_vector(const Py_buffer &view) {
  return view.ndim == 1 && view.format && std::string_view(view.format) == "d" &&
         reinterpret_cast<uintptr_t>(view.buf) % alignof(double) == 0;
}

static double array_in(nb::handle values) {
  Py_buffer view;
  if (PyObject_GetBuffer(values.ptr(), &view, PyBUF_ND | PyBUF_FORMAT) != 0)
    throw nb::python_error();
  bool right = is_vector(view);
  double sum = right ? ck_sum_floats(static_cast<double *>(view.buf), view.shape[0]) : 0.0;
  PyBuffer_Release(&view);
  if (!right)
    throw nb::type_error("expected a 1-D, aligned float64 array");
  return sum;
}

// ---- an iterator ---------------------------------------------------------------------------

struct SlotCountdown {
  ck_counter left;
};

static PyObject *next(PyObject *self) noexcept {
  int64_t item;
  bool more = nb::inst_ready(self) && // made by __init__, not by __new__ alone
              ck_counter_next(&nb::inst_ptr<SlotCountdown>(self)->left, &item);
  return more ? PyLong_FromLongLong(item) : nullptr; // without an error set: the end
}

static SlotCountdown countdown(Int n) {
  SlotCountdown down;
  ck_counter_start(&down.left, value_of(n));
  return down;
}

static const PyType_Slot slots[] = {{Py_tp_iter, reinterpret_cast<void *>(PyObject_SelfIter)},
                                    {Py_tp_iternext, reinterpret_cast<void *>(next)},
                                    {0, nullptr}};

// ---- an error ------------------------------------------------------------------------------

struct Status {
  int code;
};

template <> struct nb::detail::type_caster<Status> {
  static constexpr auto Name = const_name("None");

  static handle from_cpp(Status status, rv_policy, cleanup_list *) noexcept {
    if (status.code == 0)
      return none().release();
    PyErr_Format(PyExc_ValueError, "native call failed with code %d", status.code);
    return {};
  }
};

static Status error(Number<int> code) { return {ck_fail(value_of(code))}; }

void fast(nb::module_ &m) {
  m.def("array_in", &array_in,
        "Request the buffer instead of DLPack: quicker, but not every tensor has one.");
  if (!has_class<SlotCountdown>(m, "Countdown"))
    nb::class_<SlotCountdown>(m, "Countdown", nb::type_slots(slots));
  m.def("countdown", &countdown,
        "Fill in the slots that `for` uses: no dispatch and no exception, but a type set up in "
        "CPython's own terms.");
  m.def("error", &error,
        "Fail where the result is converted: nothing is thrown, but each result type needs a "
        "caster of its own.");
}
