// The memory of the view belongs to a shared pointer, so the view needs no series.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "series.h"
#include <memory>

namespace nb = nanobind;
using namespace nb::literals;

using Shared = std::shared_ptr<const Series>;

struct Labelled {
  Shared series;
  nb::object label = nb::none();
  std::string name;

  explicit Labelled(Series made)
      : series(std::make_shared<Series>(std::move(made))), name(series->name) {}
  const std::vector<double> &values() const { return series->values(); }
};

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

static PyType_Slot slots[] = {
    {Py_tp_traverse, (void *)traverse}, {Py_tp_clear, (void *)clear}, {0, nullptr}};

static auto view(const Labelled &self) {
  nb::capsule owner(new Shared(self.series),
                    [](void *p) noexcept { delete static_cast<Shared *>(p); });
  size_t n = self.values().size();
  return nb::ndarray<nb::numpy, const double, nb::ndim<1>>(self.values().data(), {n}, owner);
}

NB_MODULE(exercise, m) {
  nb::class_<Labelled>(m, "Series", nb::type_slots(slots))
      .def(
          "__init__",
          [](Labelled *self, std::string name,
             nb::ndarray<const double, nb::ndim<1>, nb::c_contig> values) {
            new (self) Labelled(Series(name, {values.data(), values.data() + values.size()}));
          },
          "name"_a, "values"_a.noconvert())
      .def(
          "__init__",
          [](Labelled *self, std::string name, std::vector<double> values) {
            new (self) Labelled(Series(name, std::move(values)));
          },
          "name"_a, "values"_a)
      .def_rw("name", &Labelled::name)
      .def_rw("label", &Labelled::label, nb::arg().none())
      .def_prop_ro("values", &view, nb::rv_policy::automatic) // it has an owner
      .def("__len__", [](const Labelled &self) { return self.values().size(); })
      .def("scaled",
           [](const Labelled &self, double by) { return Labelled(self.series->scaled(by)); })
      .def(
          "__eq__",
          [](const Labelled &a, const Labelled &b) {
            return a.name == b.name && a.values() == b.values();
          },
          nb::is_operator())
      .def(
          "__getstate__",
          [](const Labelled &self) { return nb::make_tuple(self.name, self.values(), self.label); })
      .def("__setstate__", [](Labelled &self, nb::tuple state) {
        new (&self) Labelled(
            Series(nb::cast<std::string>(state[0]), nb::cast<std::vector<double>>(state[1])));
        self.label = state[2];
      });
}
