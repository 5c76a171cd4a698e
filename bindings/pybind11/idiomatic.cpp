// The idioms of pybind11's documentation, where they let more pass than the other pages do.
//
// Shows:  C functions bound as they are; str, lists and dicts converted by the signature; arrays by
//         py::array_t; a std::function; a C++ exception.
// Build:  pybind11_add_module(idiomatic idiomatic.cpp), linked to the C library.
// Bites:  each function's docstring says what it lets pass.
#include <pybind11/functional.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <string>

#include "../_glue/idiomatic.hpp"

namespace py = pybind11;
using namespace idioms;

// ---- arrays --------------------------------------------------------------------------------

using Floats = py::array_t<double, py::array::c_style | py::array::forcecast>;

static double array_in(const Floats &values) {
  return ck_sum_floats(values.data(), static_cast<size_t>(values.size()));
}

static void array_inplace(py::array_t<double> values, double factor) {
  auto items = values.mutable_unchecked<1>();
  for (py::ssize_t i = 0; i < items.shape(0); i++)
    items(i) *= factor;
}

static py::array_t<double> array_out(size_t n) {
  py::array_t<double> values(n);
  ck_iota(static_cast<double *>(values.request().ptr), n);
  return values;
}

// ---- an error ------------------------------------------------------------------------------

static void error(int code) {
  if (int status = ck_fail(code); status != 0)
    throw py::value_error("native call failed with code " + std::to_string(status));
}

PYBIND11_MODULE(idiomatic, m, py::mod_gil_not_used()) {
  m.def("int_in", &ck_take_int,
        "Take any object with __int__ except a float; every exception becomes a TypeError.");
  m.def("add_int", &ck_add_int, py::arg("a"), py::arg("b"), "Convert as int_in does.");
  m.def("add_float", &ck_add_float, py::arg("a"), py::arg("b"),
        "Take any object with __float__; every exception becomes a TypeError.");
  m.def("six_scalars", &ck_six_scalars, "Convert as int_in and add_float do.");
  m.def("keywords", &ck_keywords, py::arg("x"), py::kw_only(), py::arg("scale") = 1.0,
        py::arg("offset") = 0.0, "Convert as add_float does.");
  m.def("str_in", &str_in, py::arg("text"), "Copy the text, and take bytes too.");
  m.def("array_in", &array_in, py::arg("values").none(false), // NumPy makes a NaN of None
        "Convert any object but None to a contiguous float64 array, of any number of dimensions.");
  m.def("array_inplace", &array_inplace, py::arg("values").noconvert(), py::arg("factor"),
        "Index item by item, with any stride, and do not check that the memory is aligned.");
  m.def("array_out", &array_out, py::arg("n"), "Describe the memory, with a str for its format.");
  m.def("list_in", &list_in, py::arg("values"), "Take any sequence of objects with __float__.");
  m.def("strings_in", &strings_in, py::arg("texts"),
        "Copy every text, and take any sequence of str and bytes.");
  m.def("dict_in", &dict_in, py::arg("weights").noconvert(), // a __float__ might change the dict
        "Copy every key, sort them, and take values of type float alone.");
  m.def("callback", &callback, py::arg("function"), py::arg("x"),
        "Copy the function into a std::function, which acquires the GIL for each call; a result of "
        "another type is a RuntimeError.");
  m.def("error", &error, py::arg("code"),
        "Throw a C++ exception, which is offered to the translators of every pybind11 module.");
}
