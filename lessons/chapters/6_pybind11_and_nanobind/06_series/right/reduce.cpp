// Pickling by __reduce__, and one constructor that looks at its argument.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "series.h"

namespace nb = nanobind;

struct Labelled : Series {
  nb::object label;
  Labelled(const Series &series, nb::object label) : Series(series), label(std::move(label)) {}
};

static int traverse(PyObject *self, visitproc visit, void *arg) {
  if (nb::inst_ready(self))
    Py_VISIT(nb::inst_ptr<Labelled>(self)->label.ptr());
  Py_VISIT(Py_TYPE(self));
  return 0;
}

static int clear(PyObject *self) {
  nb::object label = std::move(nb::inst_ptr<Labelled>(self)->label);
  return 0;
}

static PyType_Slot slots[] = {
    {Py_tp_traverse, (void *)traverse}, {Py_tp_clear, (void *)clear}, {0, nullptr}};

static std::vector<double> numbers_of(nb::handle values) {
  nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu> array;
  if (nb::try_cast(values, array, false))
    return {array.data(), array.data() + array.size()};
  if (nb::ndarray<> other; nb::try_cast(values, other, false) && other.ndim() != 1)
    throw nb::type_error("values must have one dimension");
  return nb::cast<std::vector<double>>(values);
}

static void init(Labelled *self, std::string name, nb::object values, nb::object label) {
  try {
    new (self) Labelled(Series(std::move(name), numbers_of(values)), label);
  } catch (const nb::cast_error &) {
    throw nb::type_error("values must be numbers");
  }
}

NB_MODULE(exercise, m) {
  nb::class_<Labelled> series(m, "Series", nb::type_slots(slots));
  series.def("__init__", &init, nb::arg("name"), nb::arg("values"), nb::arg("label") = nb::none());
  series.def_rw("name", &Labelled::name);
  series.def_rw("label", &Labelled::label, nb::arg("label").none());
  series.def_prop_ro("values", [](nb::object self) {
    auto &values = nb::cast<Labelled &>(self).values();
    size_t shape[] = {values.size()};
    return nb::ndarray<nb::numpy, const double>(values.data(), 1, shape, self);
  });
  series.def("__len__", [](const Labelled &self) { return self.values().size(); });
  series.def("scaled", [](const Labelled &self, double factor) {
    return Labelled(self.scaled(factor), nb::none());
  });
  series.def(
      "__eq__",
      [](const Labelled &self, nb::handle other) {
        return nb::isinstance<Labelled>(other) &&
               static_cast<const Series &>(self) == nb::cast<Labelled &>(other);
      },
      nb::arg().none());
  series.def("__reduce__", [](nb::object self) {
    auto &own = nb::cast<Labelled &>(self);
    return nb::make_tuple(self.type(), nb::make_tuple(own.name, own.values(), own.label));
  });
}
