// nb::new_ in place of __init__: the function returns the object, as py::init's lambda does.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/operators.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "series.h"
#include <memory>

namespace nb = nanobind;
using namespace nb::literals;

struct Holder {
  Series series;
  nb::object label = nb::none();
  bool operator==(const Holder &other) const { return series == other.series; }
};

static int traverse(PyObject *self, visitproc visit, void *arg) {
  Py_VISIT(Py_TYPE(self));
  if (nb::inst_ready(self))
    Py_VISIT(nb::inst_ptr<Holder>(self)->label.ptr());
  return 0;
}

static int clear(PyObject *self) {
  nb::inst_ptr<Holder>(self)->label.reset();
  return 0;
}

static PyType_Slot slots[] = {
    {Py_tp_traverse, (void *)traverse}, {Py_tp_clear, (void *)clear}, {0, nullptr}};

using Numbers = nb::ndarray<const double, nb::ndim<1>, nb::device::cpu>;

static Holder of_array(const std::string &name, Numbers values) {
  std::vector<double> numbers(values.shape(0));
  for (size_t i = 0; i < numbers.size(); i++)
    numbers[i] = values(i);
  return Holder{Series(name, numbers)};
}

static nb::object view(nb::pointer_and_handle<Holder> self) {
  auto &values = self.p->series.values();
  size_t n = values.size();
  return nb::cast(nb::ndarray<nb::numpy, const double>(values.data(), {n}, self.h));
}

NB_MODULE(exercise, m) {
  nb::class_<Holder>(m, "Series", nb::type_slots(slots))
      .def(nb::new_(&of_array), "name"_a, "values"_a.noconvert())
      .def(nb::new_([](std::string name, std::vector<double> values) {
             return Holder{Series(std::move(name), std::move(values))};
           }),
           "name"_a, "values"_a)
      .def_prop_rw(
          "name", [](Holder &self) { return self.series.name; },
          [](Holder &self, std::string name) { self.series.name = std::move(name); })
      .def_prop_rw(
          "label", [](Holder &self) { return self.label; },
          [](Holder &self, nb::object label) { self.label = label; }, nb::arg().none())
      .def_prop_ro("values", &view)
      .def("__len__", [](Holder &self) { return self.series.values().size(); })
      .def("scaled", [](Holder &self, double factor) { return Holder{self.series.scaled(factor)}; })
      .def(nb::self == nb::self)
      .def("__getstate__",
           [](Holder &self) {
             return std::make_tuple(self.series.name, self.series.values(), self.label);
           })
      .def("__setstate__",
           [](Holder &self, std::tuple<std::string, std::vector<double>, nb::object> state) {
             auto &[name, values, label] = state;
             new (&self) Holder{Series(name, values), label};
           });
}
