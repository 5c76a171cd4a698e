// The module in pybind11, which is to be written in nanobind.
#include <pybind11/numpy.h>
#include <pybind11/operators.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "series.h"

namespace py = pybind11;
using namespace py::literals;

using Numbers = py::array_t<double, py::array::c_style>;

struct Labelled : Series { // a series with a Python object of the user's
  using Series::Series;
  py::object label = py::none();
};

static int traverse(PyObject *self, visitproc visit, void *arg) {
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(py::cast<Labelled &>(py::handle(self)).label.ptr());
  return 0;
}

static int clear(PyObject *self) {
  py::cast<Labelled &>(py::handle(self)).label = py::none();
  return 0;
}

static void collected(PyHeapTypeObject *type) {
  type->ht_type.tp_flags |= Py_TPFLAGS_HAVE_GC;
  type->ht_type.tp_traverse = traverse;
  type->ht_type.tp_clear = clear;
}

PYBIND11_MODULE(exercise, m) {
  py::class_<Labelled>(m, "Series", py::custom_type_setup(collected))
      .def(py::init([](std::string name, const Numbers &values) {
             if (values.ndim() != 1)
               throw py::type_error("values must have one dimension");
             const double *first = values.data();
             return Labelled(std::move(name), {first, first + values.size()});
           }),
           "name"_a, "values"_a.noconvert())
      .def(py::init<std::string, std::vector<double>>(), "name"_a, "values"_a)
      .def_readwrite("name", &Labelled::name)
      .def_readwrite("label", &Labelled::label)
      .def_property_readonly("values",
                             [](py::object self) {
                               auto &values = self.cast<Labelled &>().values();
                               py::array view(values.size(), values.data(), self);
                               view.attr("setflags")("write"_a = false);
                               return view;
                             })
      .def("__len__", [](const Labelled &self) { return self.values().size(); })
      .def(
          "scaled",
          [](const Labelled &self, double factor) {
            Series result = self.scaled(factor);
            return Labelled(result.name, result.values());
          },
          "factor"_a)
      .def(
          "__eq__",
          [](const Labelled &a, const Labelled &b) { return static_cast<const Series &>(a) == b; },
          py::is_operator())
      .def(py::pickle(
          [](const Labelled &self) { return py::make_tuple(self.name, self.values(), self.label); },
          [](const py::tuple &state) {
            Labelled self(state[0].cast<std::string>(), state[1].cast<std::vector<double>>());
            self.label = state[2];
            return self;
          }));
}
