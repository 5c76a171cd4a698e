// Arrays through nanobind.
//
// Shows:  arrays by nb::ndarray, taken and returned, as nanobind's documentation has it; an array or
//         tensor of any library borrowed by DLPack, with any stride, and written in place; memory made
//         by NumPy; the C exchange API, which nb::ndarray does not use, by functions of a C header.
// Build:  one of the sources of nanobind_add_module(... NOMINSIZE patterns/*.cpp).
// Bites:  an unmet constraint raises TypeError, even if the array is only read-only or strided; a
//         read-only array costs a second try, as DLPack's first version cannot export it; an
//         nb::ndarray trusts __dlpack__, which can crash it, and takes a torch tensor that requires
//         grad, unless it is made from a capsule that we requested; releasing an array needs the
//         GIL: only the sum runs without it.
#include "arrays.hpp"
#include "../../_glue/dlpack.h"
#include "../errors.hpp"
#include "../numbers.hpp"
#include "cookbook.h"

using Strided = nb::ndarray<const double, nb::ndim<1>, nb::device::cpu>;
using Writable = nb::ndarray<double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using NewArray = nb::ndarray<nb::numpy, double, nb::ndim<1>>;

// ---- as documented -------------------------------------------------------------------------

static double idiomatic_array_in(Floats values) {
  return ck_sum_floats(values.data(), values.size());
}

static void idiomatic_array_inplace(Writable values, double factor) {
  ck_scale(values.data(), values.size(), factor);
}

static NewArray owned(double *data, size_t n) {
  nb::capsule owner(data, [](void *memory) noexcept { delete[] static_cast<double *>(memory); });
  return {data, {n}, owner};
}

static NewArray idiomatic_array_out(size_t n) {
  NewArray values = owned(new double[n], n);
  ck_iota(values.data(), n);
  return values;
}

static NewArray idiomatic_array_map(Floats values) {
  NewArray doubled = owned(new double[values.size()], values.size());
  ck_doubled(values.data(), values.size(), doubled.data());
  return doubled;
}

// ---- checked -------------------------------------------------------------------------------
// An nb::ndarray argument trusts what __dlpack__ returns. arrays.hpp asks for it, and checks.

static double array_in(nb::handle array) {
  auto values = borrowed<Floats>(array);
  return ck_sum_floats(floats(values), values.size());
}

static double array_in_nogil(nb::handle array) {
  auto values = borrowed<Floats>(array);
  const double *data = floats(values);
  size_t size = values.size();
  nb::gil_scoped_release release;
  return ck_sum_floats(data, size);
}

static double strided_in(nb::handle array) {
  auto values = borrowed<Strided>(array);
  constexpr int64_t item = sizeof(double);
  return ck_sum_strided(floats(values), values.size(), values.stride(0) * item);
}

static nb::object array_out(const nb::object &numpy_empty, Int n) {
  int64_t size = value_of(n);
  nb::object values = numpy_empty(size);
  ck_iota(memory_of(values), static_cast<size_t>(size));
  return values;
}

static nb::object array_map(const nb::object &numpy_empty, nb::handle array) {
  auto values = borrowed<Floats>(array);
  const double *data = floats(values);
  nb::object out = numpy_empty(values.size());
  ck_doubled(data, values.size(), memory_of(out));
  return out;
}

static void array_inplace(nb::handle array, Float factor) {
  double times = value_of(factor);
  auto values = borrowed<Writable>(array);
  ck_scale(floats(values), values.size(), times);
}

static nb::object scaled(const nb::object &numpy_empty, nb::handle array, Float factor) {
  double times = value_of(factor);
  auto values = borrowed<Floats>(array);
  const double *data = floats(values);
  nb::object out = numpy_empty(values.size());
  ck_scaled(data, values.size(), times, memory_of(out));
  return out;
}

static double dlpack_in(nb::handle tensor) {
  Floats values;
  if (!nb::try_cast(capsule_of(tensor), values, false))
    throw nb::type_error("expected a 1-D, C-contiguous float64 tensor on the CPU");
  return ck_sum_floats(floats(values), values.size());
}

static PyObject *dlpack_objects; // made once, for the main interpreter

static double tensor_in(nb::handle values) {
  DLPackDoubles found;
  if (dlpack_view(dlpack_objects, values.ptr(), &found) < 0)
    throw_raised();
  return dlpack_sum(found);
}

static nb::object tensor_out(nb::handle like, Int n) {
  PyObject *tensor = dlpack_new(dlpack_objects, like.ptr(), value_of(n), ck_iota);
  if (!tensor)
    throw_raised();
  return nb::steal(tensor);
}

void arrays(nb::module_ &m, nb::module_ &idiomatic) {
  idiomatic.def(
      "array_in", &idiomatic_array_in, nb::arg("values"),
      "Convert an array of another dtype or layout, trust what __dlpack__ returns, and crash "
      "with a ctypes array, whose buffer has no strides.");
  idiomatic.def("array_inplace", &idiomatic_array_inplace, nb::arg("values").noconvert(),
                nb::arg("factor").noconvert(), // __float__ might free the array's memory
                "Trust what __dlpack__ returns, do not check that the memory is aligned, crash as "
                "array_in does, and take a factor of type float alone.");
  idiomatic.def("dlpack_in", &idiomatic_array_in, nb::arg("tensor").noconvert(),
                "Crash if __dlpack__ returns the same capsule twice, and take a torch tensor that "
                "requires grad.");
  idiomatic.def("array_out", &idiomatic_array_out, nb::arg("n"),
                "Return memory of its own, which costs a capsule, a view and numpy.asarray.");
  idiomatic.def("array_map", &idiomatic_array_map, "Take as array_in does, return as array_out.");
  m.def("array_in", &array_in,
        nb::sig("def array_in(values: numpy.typing.NDArray[numpy.float64], /) -> float"),
        "Return the sum of a C-contiguous float64 array.");
  m.def("array_in_nogil", &array_in_nogil,
        nb::sig("def array_in_nogil(values: numpy.typing.NDArray[numpy.float64], /) -> float"),
        "Return the sum of an array, added up without the GIL.");
  m.def("strided_in", &strided_in,
        nb::sig("def strided_in(values: numpy.typing.NDArray[numpy.float64], /) -> float"),
        "Return the sum of a float64 array of any stride.");
  nb::object numpy_empty = nb::module_::import_("numpy").attr("empty");
  m.def(
      "array_out", [numpy_empty](Int n) { return array_out(numpy_empty, n); },
      nb::sig("def array_out(n: int, /) -> numpy.typing.NDArray[numpy.float64]"),
      "Return a new array 0.0, 1.0 ... n - 1.");
  m.def(
      "array_map", [numpy_empty](nb::handle values) { return array_map(numpy_empty, values); },
      nb::sig("def array_map(values: numpy.typing.NDArray[numpy.float64], /) -> "
              "numpy.typing.NDArray[numpy.float64]"),
      "Return a new array with every item doubled.");
  m.def("array_inplace", &array_inplace,
        nb::sig("def array_inplace(values: numpy.typing.NDArray[numpy.float64], factor: float, /) "
                "-> None"),
        "Multiply an array in place.");
  m.def(
      "scaled",
      [numpy_empty](nb::handle values, Float factor) {
        return scaled(numpy_empty, values, factor);
      },
      nb::sig("def scaled(values: numpy.typing.NDArray[numpy.float64], factor: float, /) -> "
              "numpy.typing.NDArray[numpy.float64]"),
      "Return a new array, values * factor.");
  m.def("dlpack_in", &dlpack_in, nb::sig("def dlpack_in(values: object, /) -> float"),
        "Return the sum of a float64 tensor of any library.");
  if (!(dlpack_objects = dlpack_names()))
    throw_raised();
  m.def("tensor_in", &tensor_in, nb::sig("def tensor_in(values: object, /) -> float"),
        "Return the sum of a float64 tensor, taken without Python if its library can.");
  m.def("tensor_out", &tensor_out, nb::sig("def tensor_out(like: object, n: int, /) -> object"),
        "Return a new tensor 0.0, 1.0 ... n - 1 of the library of another.");
}
