// Arrays through pybind11.
//
// Shows:  a NumPy array borrowed, with any stride, and written in place; memory made by NumPy; a
//         tensor of any library, by functions of a C header.
// Build:  one of the sources of pybind11_add_module(... patterns/*.cpp).
// Bites:  data() does not check that an array is writable, mutable_data() does; checking and
//         releasing an array need the GIL: only the sum runs without it; pybind11 has no DLPack.
#include <pybind11/numpy.h>

#include <string>

#include "../../_glue/dlpack.h"
#include "../errors.hpp"
#include "../numbers.hpp"
#include "cookbook.h"

constexpr int aligned = py::detail::npy_api::NPY_ARRAY_ALIGNED_;
constexpr int contiguous = py::array::c_style | aligned;

// The numbers of a 1-D float64 array. A py::array is borrowed as it is; py::array_t as the type of
// an argument makes NumPy convert it, even if there is nothing to convert.
static const double *floats(const py::array &values, int layout = contiguous,
                            const char *name = "values") {
  if (!py::isinstance<py::array_t<double, 0>>(values))
    throw py::type_error(std::string(name) + " must be a float64 array");
  if (values.ndim() != 1 || (values.flags() & layout) != layout)
    throw py::value_error(std::string(name) + " must be 1-D and aligned" +
                          (layout == contiguous ? " and C-contiguous" : ""));
  return static_cast<const double *>(values.data());
}

static size_t length(const py::array &values) { return static_cast<size_t>(values.size()); }

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

static PyObject *dlpack_objects; // made once, for the main interpreter

template <auto borrow> static double tensor_sum(py::handle values) {
  DLPackDoubles found;
  if (borrow(dlpack_objects, values.ptr(), &found) < 0)
    throw_raised();
  return dlpack_sum(found);
}

static py::object tensor_out(py::handle like, py::ssize_t n) {
  PyObject *tensor = dlpack_new(dlpack_objects, like.ptr(), n, ck_iota);
  if (!tensor)
    throw_raised();
  return py::reinterpret_steal<py::object>(tensor);
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
  if (!(dlpack_objects = dlpack_names()))
    throw_raised();
  m.def("dlpack_in", &tensor_sum<dlpack_borrow>,
        "dlpack_in(values, /)\n--\n\nReturn the sum of a float64 tensor of any library.");
  m.def("tensor_in", &tensor_sum<dlpack_view>,
        "tensor_in(values, /)\n--\n\n"
        "Return the sum of a float64 tensor, taken without Python if its library can.");
  m.def("tensor_out", &tensor_out,
        "tensor_out(like, n, /)\n--\n\n"
        "Return a new tensor 0.0, 1.0 ... n - 1 of the library of another.");
}
