// Port series_pybind11.cpp to nanobind: the same class Series, so that no test sees a difference.
//
//   >>> series = exercise.Series("load", np.array([1.0, 2.0]))
//   >>> series.values, len(series), series.scaled(3).values
//   (array([1., 2.]), 2, array([3., 6.]))
//   >>> series.label = series           # the garbage collector finds such a cycle
//
//   - `values` is a read-only view of the series' memory, which keeps the series alive.
//   - Series(name, values) takes a float64 array, or any sequence of numbers.
//   - Series are equal if names and values are. copy.copy and pickle keep the label, too.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
// BEGIN SOLUTION
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
// END SOLUTION

#include "series.h"

namespace nb = nanobind;
using namespace nb::literals;

// BEGIN SOLUTION
using Numbers = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using View = nb::ndarray<nb::numpy, const double, nb::ndim<1>>;

// END SOLUTION
struct Labelled : Series { // a series with a Python object as its label
  using Series::Series;
  nb::object label = nb::none();
};

//: NB_MODULE(exercise, m) {
//:   nb::class_<Labelled>(m, "Series");
//:   // TODO: constructors, name, label, values, __len__, scaled, __eq__, the state for pickle, and the
//:   // slots for the garbage collector
// BEGIN SOLUTION
static int traverse(PyObject *self, visitproc visit, void *arg) {
  Py_VISIT(Py_TYPE(self));
  if (nb::inst_ready(self))
    Py_VISIT(nb::inst_ptr<Labelled>(self)->label.ptr());
  return 0;
}

static int clear(PyObject *self) {
  nb::inst_ptr<Labelled>(self)->label = nb::none();
  return 0;
}

static PyType_Slot slots[] = {{Py_tp_traverse, reinterpret_cast<void *>(traverse)},
                              {Py_tp_clear, reinterpret_cast<void *>(clear)},
                              {0, nullptr}};

NB_MODULE(exercise, m) {
  nb::class_<Labelled>(m, "Series", nb::type_slots(slots))
      .def(
          "__init__",
          [](Labelled *self, std::string name, const Numbers &values) {
            const double *first = values.data();
            new (self) Labelled(std::move(name), {first, first + values.size()});
          },
          "name"_a, "values"_a.noconvert())
      .def(nb::init<std::string, std::vector<double>>(), "name"_a, "values"_a)
      .def_rw("name", &Labelled::name)
      .def_rw("label", &Labelled::label, nb::arg("label").none())
      .def_prop_ro(
          "values",
          [](const Labelled &self) { return View(self.values().data(), {self.values().size()}); },
          nb::rv_policy::reference_internal)
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
          nb::is_operator())
      .def(
          "__getstate__",
          [](const Labelled &self) { return nb::make_tuple(self.name, self.values(), self.label); })
      .def("__setstate__", [](Labelled &self, const nb::tuple &state) {
        new (&self)
            Labelled(nb::cast<std::string>(state[0]), nb::cast<std::vector<double>>(state[1]));
        self.label = state[2];
      });
  // END SOLUTION
}
