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

#include "series.h"

namespace nb = nanobind;
using namespace nb::literals;

struct Labelled : Series { // a series with a Python object as its label
  using Series::Series;
  nb::object label = nb::none();
};

NB_MODULE(exercise, m) {
  nb::class_<Labelled>(m, "Series");
  // TODO: constructors, name, label, values, __len__, scaled, __eq__, the state for pickle, and the
  // slots for the garbage collector
}
