// Find and fix the bugs of this module, which is written with pybind11.
//
//   >>> samples = np.array([1.0, -2.0])
//   >>> exercise.amplify(samples, 2.0); samples
//   array([ 2., -4.])
//   >>> exercise.peak([1, -3]), exercise.fades(4)
//   (3.0, array([1.  , 0.75, 0.5 , 0.25]))
//
//   - amplify changes a float64 array of one dimension in place, whatever its stride. Another
//     dtype, or anything but an array, raises TypeError; a read-only array or one with other
//     dimensions raises ValueError.
//   - peak reads anything that NumPy can convert to an array of float64 with one dimension; else it
//     raises ValueError. It releases the GIL while peak_of of levels.h runs.
//   - fades returns a new array. Its memory is freed when the array is.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include "levels.h"

namespace py = pybind11;
using namespace py::literals;

using Samples = py::array_t<double>;

//: // TODO: which arguments are converted, who holds the GIL, what is a stride, who frees what?
//:
//: static void amplify(Samples samples, double factor) {
//:   double *data = samples.mutable_data();
//:   for (py::ssize_t i = 0; i < samples.size(); i++)
//:     data[i] *= factor;
//: }
//:
//: static double peak(Samples samples) {
//:   return peak_of(samples.data(), samples.size(), samples.strides(0));
// BEGIN SOLUTION
static void amplify(Samples &samples, double factor) {
  auto values = samples.mutable_unchecked<1>();
  for (py::ssize_t i = 0; i < values.shape(0); i++)
    values(i) *= factor;
}

static double peak(const Samples &samples) {
  if (samples.ndim() != 1)
    throw py::value_error("samples must have one dimension");
  const double *data = samples.data();
  py::ssize_t n = samples.shape(0), stride = samples.strides(0) / samples.itemsize();
  py::gil_scoped_release release;
  return peak_of(data, n, stride);
  // END SOLUTION
}

static Samples fades(py::ssize_t n) {
  auto *data = new double[static_cast<size_t>(n)];
  for (py::ssize_t i = 0; i < n; i++)
    data[i] = static_cast<double>(n - i) / static_cast<double>(n);
  //: return Samples(n, data);
  // BEGIN SOLUTION
  py::capsule owner(data, [](void *memory) { delete[] static_cast<double *>(memory); });
  return Samples(n, data, owner);
  // END SOLUTION
}

PYBIND11_MODULE(exercise, m) {
  //: m.def("amplify", &amplify, "samples"_a, "factor"_a);
  //: m.def("peak", &peak, "samples"_a, py::call_guard<py::gil_scoped_release>());
  // BEGIN SOLUTION
  m.def("amplify", &amplify, "samples"_a.noconvert(), "factor"_a);
  m.def("peak", &peak, "samples"_a);
  // END SOLUTION
  m.def("fades", &fades, "n"_a);
}
