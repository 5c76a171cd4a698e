// A module of another project, whose C++ types have the names of this project's.
#include <new>

#include <nanobind/nanobind.h>

namespace nb = nanobind;

struct ck_point {
  float x;
};
struct ck_counter {
  char state;
};
struct Countdown {};
struct SlotCountdown {};
struct Tokenizer {};
enum class Colour { red, green };

NB_MODULE(other_nanobind, m) {
  nb::class_<ck_point>(m, "Point")
      .def("__init__", [](ck_point *self, float x) { new (self) ck_point{x}; })
      .def_rw("x", &ck_point::x)
      .def("__getstate__", [](const ck_point &self) { return self.x; })
      .def("__setstate__", [](ck_point &self, float x) { new (&self) ck_point{x}; });
  nb::class_<ck_counter>(m, "Counter").def(nb::init<>());
  nb::class_<Countdown>(m, "Countdown").def(nb::init<>());
  nb::class_<SlotCountdown>(m, "SlotCountdown").def(nb::init<>());
  nb::class_<Tokenizer>(m, "Tokenizer").def(nb::init<>());
  nb::enum_<Colour>(m, "Colour").value("red", Colour::red).value("green", Colour::green);
  m.def("x_of", [](const ck_point &point) { return point.x; });
  m.def("half", [](int n, double x) { return n * x / 2; });
}
