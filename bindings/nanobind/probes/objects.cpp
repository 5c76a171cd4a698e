// Structs, objects and iterators through nanobind.
//
// Shows:  structs of C as Python classes, by value and as state that methods change; an iterator;
//         objects kept for reuse (pooled).
// Build:  one of the sources of nanobind_add_module(... NOMINSIZE probes/*.cpp).
// Bites:  "__init__" is handed memory that holds nothing yet: more than a struct of C needs
//         placement new; the end of an iterator is a C++ exception (`tuned` has none); where there
//         is no GIL an object is locked only by those functions that say lock_self().
#include "probes.hpp"

static ck_counter start(int64_t value) {
  ck_counter counter;
  ck_counter_start(&counter, value);
  return counter;
}

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
  nb::class_<ck_point>(m, "Point", "Two doubles.", nb::pooled())
      .def(nb::init<double, double>(), nb::arg("x"), nb::arg("y"))
      .def_ro("x", &ck_point::x)
      .def_ro("y", &ck_point::y);
  m.def("struct_in", &ck_point_sum);
  m.def("struct_out", &ck_make_point);

  nb::class_<ck_counter>(m, "Counter", "An int64 that wraps.", nb::pooled())
      .def("__init__", &ck_counter_start, nb::arg("value"))
      .def("add", &ck_counter_add, nb::lock_self())
      .def_rw("value", &ck_counter::value, nb::lock_self());

  nb::class_<Countdown>(m, "Countdown", "What countdown returns.")
      .def("__iter__", [](nb::handle self) { return self; })
      .def("__next__", &next, nb::lock_self());
  m.def("countdown", [](int64_t n) { return Countdown{start(n)}; });
}
