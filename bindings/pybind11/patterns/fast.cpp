// The quickest calls through pybind11 with the same arguments, and their price.
//
// Shows:  an iterator by the slots of its type.
// Build:  one of the sources of pybind11_add_module(... patterns/*.cpp).
// Bites:  a slot is called by C, so nothing may be thrown out of it, not even the exception of
//         cast() for an object that was made by __new__ alone.
#include "../instances.hpp"
#include "../numbers.hpp"
#include "cookbook.h"

struct SlotCountdown {
  ck_counter left;
};

static PyObject *next_item(PyObject *self) noexcept try {
  int64_t item;
  bool more = ck_counter_next(&py::handle(self).cast<SlotCountdown &>().left, &item);
  return more ? PyLong_FromLongLong(item) : nullptr; // without an error set: the end
} catch (const py::builtin_exception &error) {
  error.set_error();
  return nullptr;
}

static SlotCountdown countdown(int64_t n) {
  SlotCountdown down;
  ck_counter_start(&down.left, n);
  return down;
}

static void set_slots(PyHeapTypeObject *type) {
  own_new(type);
  type->ht_type.tp_iter = PyObject_SelfIter;
  type->ht_type.tp_iternext = next_item;
}

void fast(py::module_ &m) {
  py::class_<SlotCountdown>(m, "Countdown", py::module_local(), py::custom_type_setup(&set_slots));
  needs_init<SlotCountdown>();
  m.def("countdown", &countdown,
        "countdown(n, /)\n--\n\nFill in the slots that `for` uses: no dispatch and no exception, "
        "but a type set up in CPython's own terms.");
}
