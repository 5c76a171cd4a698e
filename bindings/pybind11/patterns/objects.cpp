// Structs, objects and iterators through pybind11.
//
// Shows:  C structs as Python classes, by value and as state that methods change; an iterator.
// Build:  one of the sources of pybind11_add_module(... patterns/*.cpp).
// Bites:  a method that takes a pointer takes None for self, so give it a reference;
//         def_readwrite() takes no noconvert(), but a setter does; Point.__new__(Point) skips
//         __init__, and pybind11 gives it uninitialised memory, unless the class refuses
//         (needs_init); a C++ type has one class in all modules of the process, and a second one
//         fails to import, unless it is module_local(); the end of an iterator is a C++ exception
//         (not in `fast`); without the GIL nothing locks an object, so its state has to be atomic.
#include "../instances.hpp"
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

static void set_value(ck_counter &self, int64_t value) { ck_counter_start(&self, value); }

static int64_t add(ck_counter &self, int64_t n) { return ck_counter_add(&self, n); }

struct Countdown {
  ck_counter left;
};

static int64_t next(Countdown &self) {
  int64_t item;
  if (!ck_counter_next(&self.left, &item))
    throw py::stop_iteration();
  return item;
}

void objects(py::module_ &m) {
  py::class_<ck_point>(m, "Point", "Two doubles.", py::module_local(),
                       py::custom_type_setup(own_new))
      .def(py::init<double, double>(), py::arg("x"), py::arg("y"),
           "__init__(self, x, y)\n--\n\nMake a Point.")
      .def_readonly("x", &ck_point::x)
      .def_readonly("y", &ck_point::y);
  needs_init<ck_point>();
  m.def("struct_in", &ck_point_sum, "struct_in(point, /)\n--\n\nReturn x + y of a Point.");
  m.def("struct_out", &ck_make_point, "struct_out(x, y, /)\n--\n\nReturn a new Point.");

  py::class_<ck_counter> counter(m, "Counter", "An int64 that wraps.", py::module_local(),
                                 py::custom_type_setup(own_new));
  counter
      .def(py::init(&start), py::arg("value").noconvert(),
           "__init__(self, value)\n--\n\nMake a Counter.")
      .def("add", &add, "add(self, n, /)\n--\n\nAdd n and return the new value.")
      .def_property("value", &value, py::cpp_function(&set_value, py::is_method(counter)));
  needs_init<ck_counter>();

  py::class_<Countdown>(m, "Countdown", "What countdown returns.", py::module_local(),
                        py::custom_type_setup(own_new))
      .def("__iter__", [](const py::object &self) { return self; })
      .def("__next__", &next);
  needs_init<Countdown>();
  m.def(
      "countdown", [](int64_t n) { return Countdown{start(n)}; },
      "countdown(n, /)\n--\n\nReturn an iterator over n - 1, n - 2 ... 0.");
}
