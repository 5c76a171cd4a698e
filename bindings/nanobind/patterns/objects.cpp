// Structs, objects and iterators through nanobind.
//
// Shows:  C structs as Python classes, by value and as state that methods change; an iterator;
//         objects saved for reuse (pooled).
// Build:  one of the sources of nanobind_add_module(... NOMINSIZE patterns/*.cpp).
// Bites:  "__init__" gets uninitialised memory: anything but a C struct needs placement new; the
//         end of an iterator is a C++ exception (not in `fast`); without the GIL only functions
//         with lock_self() lock the object: here the C functions are atomic.
#include "../classes.hpp"
#include "../numbers.hpp"
#include "cookbook.h"

static ck_counter start(int64_t value) {
  ck_counter counter;
  ck_counter_start(&counter, value);
  return counter;
}

static int64_t value(const ck_counter &self) {
  return __atomic_load_n(&self.value, __ATOMIC_RELAXED);
}

static void set_value(ck_counter *self, Int value) { ck_counter_start(self, value_of(value)); }

struct Countdown {
  ck_counter left;
};

static int64_t next(Countdown &self) {
  int64_t item;
  if (!ck_counter_next(&self.left, &item))
    throw nb::stop_iteration();
  return item;
}

void objects(nb::module_ &m) {
  if (!has_class<ck_point>(m, "Point"))
    nb::class_<ck_point>(m, "Point", "Two doubles.", nb::pooled())
        .def(
            "__init__",
            [](ck_point *self, Float x, Float y) { *self = {value_of(x), value_of(y)}; },
            nb::arg("x"), nb::arg("y"))
        .def_ro("x", &ck_point::x)
        .def_ro("y", &ck_point::y);
  m.def("struct_in", &ck_point_sum, nb::sig("def struct_in(point: Point, /) -> float"),
        "Return x + y of a Point.");
  m.def("struct_out", numbers(&ck_make_point),
        nb::sig("def struct_out(x: float, y: float, /) -> Point"), "Return a new Point.");

  if (!has_class<ck_counter>(m, "Counter"))
    nb::class_<ck_counter>(m, "Counter", "An int64 that wraps.", nb::pooled())
        .def("__init__", &set_value, nb::arg("value"))
        .def(
            "add", [](ck_counter &self, Int n) { return ck_counter_add(&self, value_of(n)); },
            nb::sig("def add(self, n: int, /) -> int"), "Add n and return the new value.")
        .def_prop_rw("value", &value, &set_value);

  if (!has_class<Countdown>(m, "Countdown"))
    nb::class_<Countdown>(m, "Countdown", "What countdown returns.")
        .def(
            "__iter__", [](nb::handle self) { return self; },
            nb::sig("def __iter__(self) -> Countdown"))
        .def("__next__", &next);
  m.def(
      "countdown", [](Int n) { return Countdown{start(value_of(n))}; },
      nb::sig("def countdown(n: int, /) -> Countdown"),
      "Return an iterator over n - 1, n - 2 ... 0.");
}
