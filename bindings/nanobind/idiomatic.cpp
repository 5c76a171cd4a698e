// The idioms of nanobind's documentation, where they let more pass than the other pages do.
//
// Shows:  C functions bound as they are; lists and dicts converted by the signature; arrays by
//         nb::ndarray, taken and returned; a std::function; a C++ exception.
// Build:  nanobind_add_module(idiomatic NOMINSIZE idiomatic.cpp), linked to the C library.
// Bites:  each function's docstring says what it lets pass.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>
#include <string>

#include "../_glue/idiomatic.hpp"

namespace nb = nanobind;
using namespace nb::literals;

// ---- arrays --------------------------------------------------------------------------------

using Floats = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Writable = nb::ndarray<double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

static double array_in(Floats values) { return ck_sum_floats(values.data(), values.size()); }

static void array_inplace(Writable values, double factor) {
  ck_scale(values.data(), values.size(), factor);
}

static nb::ndarray<nb::numpy, double, nb::ndim<1>> array_out(size_t n) {
  double *data = new double[n];
  nb::capsule owner(data, [](void *memory) noexcept { delete[] static_cast<double *>(memory); });
  ck_iota(data, n);
  return {data, {n}, owner};
}

// ---- an error ------------------------------------------------------------------------------

static void error(int code) {
  if (int status = ck_fail(code); status != 0)
    throw std::invalid_argument("native call failed with code " + std::to_string(status));
}

NB_MODULE(idiomatic, m) {
  m.def("int_in", &ck_take_int, "Take any object with __index__, and lose its exception.");
  m.def("add_int", &ck_add_int, "a"_a, "b"_a, "Convert as int_in does.");
  m.def("add_float", &ck_add_float, "a"_a, "b"_a,
        "Take any object with __float__, and lose its exception.");
  m.def("six_scalars", &ck_six_scalars, "Convert as int_in and add_float do.");
  m.def("keywords", &ck_keywords, "x"_a, nb::kw_only(), "scale"_a = 1.0, "offset"_a = 0.0,
        "Convert as add_float does.");
  m.def("str_in", &str_in, "text"_a, "Copy the text.");
  m.def("array_in", &array_in, "values"_a,
        "Convert an array of another dtype or layout, trust what __dlpack__ returns, and crash "
        "with a ctypes array, whose buffer has no strides.");
  m.def("array_inplace", &array_inplace, "values"_a.noconvert(),
        "factor"_a.noconvert(), // __float__ might free the array's memory
        "Trust what __dlpack__ returns, do not check that the memory is aligned, crash "
        "as array_in does, and take a factor of type float alone.");
  m.def("dlpack_in", &array_in, "tensor"_a.noconvert(),
        "Crash if __dlpack__ returns the same capsule twice, and take a torch tensor "
        "that requires grad.");
  m.def("array_out", &array_out, "n"_a,
        "Return memory of its own, which costs a capsule, a view and numpy.asarray.");
  m.def("list_in", &list_in, "values"_a, "Take any sequence of objects with __float__.");
  m.def("strings_in", &strings_in, "texts"_a, "Copy every text, and take any sequence of str.");
  m.def("dict_in", &dict_in, "weights"_a, "Copy every key, sort them, and take any mapping.");
  m.def("callback", &callback, "function"_a, "x"_a,
        "Copy the function into a std::function, which acquires the GIL for each call; a result of "
        "another type is a RuntimeError.");
  m.def("error", &error, "code"_a,
        "Throw a C++ exception, which is offered to every exception translator.");
}
