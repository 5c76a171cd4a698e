// Arrays through pybind11.
//
// Shows:  a NumPy array borrowed, with any stride, and written in place; memory made by NumPy; a
//         tensor of any library, by way of NumPy.
// Build:  one of the sources of pybind11_add_module(... patterns/*.cpp).
// Bites:  data() does not check that an array is writable, mutable_data() does; checking and
//         releasing an array need the GIL: only the sum runs without it; pybind11 has no DLPack.
#include "arrays.hpp"
#include "../numbers.hpp"
#include "cookbook.h"

static double array_in(const py::array &values) {
  return ck_sum_floats(floats(values), length(values));
}

static double array_in_nogil(const py::array &values) {
  const double *data = floats(values);
  size_t size = length(values);
  py::gil_scoped_release release;
  return ck_sum_floats(data, size);
}

static double strided_in(const py::array &values) {
  const double *data = floats(values, aligned);
  return ck_sum_strided(data, length(values), values.strides(0));
}

static py::array_t<double> array_out(py::ssize_t n) {
  py::array_t<double> values(n);
  ck_iota(values.mutable_data(), length(values));
  return values;
}

static py::array_t<double> array_map(const py::array &values) {
  const double *data = floats(values);
  py::array_t<double> out(values.size());
  ck_doubled(data, length(values), out.mutable_data());
  return out;
}

static void array_inplace(py::array values, double factor) {
  floats(values);
  ck_scale(static_cast<double *>(values.mutable_data()), length(values), factor);
}

static py::array_t<double> scaled(const py::array &values, double factor) {
  const double *data = floats(values);
  py::array_t<double> out(values.size());
  ck_scaled(data, length(values), factor, out.mutable_data());
  return out;
}

static double dlpack_in(const py::object &from_dlpack, const py::str &name,
                        const py::object &tensor) {
  try {
    py::object method = tensor.attr(name);
  } catch (const py::error_already_set &error) { // py::hasattr would hide them all
    if (error.matches(PyExc_AttributeError))
      throw py::type_error("expected a tensor");
    throw;
  }
  return array_in(from_dlpack(tensor));
}

void arrays(py::module_ &m) {
  m.def("array_in", &array_in,
        "array_in(values, /)\n--\n\nReturn the sum of a C-contiguous float64 array.");
  m.def("array_in_nogil", &array_in_nogil,
        "array_in_nogil(values, /)\n--\n\nReturn the sum of an array, added up without the GIL.");
  m.def("strided_in", &strided_in,
        "strided_in(values, /)\n--\n\nReturn the sum of a float64 array of any stride.");
  m.def("array_out", &array_out, "array_out(n, /)\n--\n\nReturn a new array 0.0, 1.0 ... n - 1.");
  m.def("array_map", &array_map,
        "array_map(values, /)\n--\n\nReturn a new array with every item doubled.");
  m.def("array_inplace", &array_inplace,
        "array_inplace(values, factor, /)\n--\n\nMultiply an array in place.");
  m.def("scaled", &scaled, "scaled(values, factor, /)\n--\n\nReturn a new array, values * factor.");
  py::object from_dlpack = py::module_::import("numpy").attr("from_dlpack");
  m.def(
      "dlpack_in",
      [from_dlpack, name = py::str("__dlpack__")](const py::object &tensor) {
        return dlpack_in(from_dlpack, name, tensor);
      },
      "dlpack_in(values, /)\n--\n\nReturn the sum of a float64 tensor of any library.");
}
