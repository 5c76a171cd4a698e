// A module of another project, whose C++ types have the names of this project's.
#include <pybind11/pybind11.h>

namespace py = pybind11;

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

PYBIND11_MODULE(other_pybind11, m, py::mod_gil_not_used()) {
  py::class_<ck_point>(m, "Point")
      .def(py::init<float>())
      .def_readwrite("x", &ck_point::x)
      .def(py::pickle([](const ck_point &self) { return self.x; },
                      [](float x) { return ck_point{x}; }));
  py::class_<ck_counter>(m, "Counter").def(py::init<>());
  py::class_<Countdown>(m, "Countdown").def(py::init<>());
  py::class_<SlotCountdown>(m, "SlotCountdown").def(py::init<>());
  py::class_<Tokenizer>(m, "Tokenizer").def(py::init<>());
  py::enum_<Colour>(m, "Colour").value("red", Colour::red).value("green", Colour::green);
  m.def("x_of", [](const ck_point &point) { return point.x; });
  m.def("half", [](int n, double x) { return n * x / 2; });
}
