// The cost ledger through pybind11: one function a pattern, each the shortest right way.
//
// Shows:  scalars, text, bytes, arrays and lists in; arrays out; a callback that may raise; an
//         error code turned into an exception.
// Build:  pybind11_add_module(... probes.cpp).
// Bites:  an int beyond 64 bits is a TypeError here ("incompatible arguments"); std::string_view
//         also takes bytes; a C++ exception must not cross frames of C.
#include <pybind11/stl.h>

#include <exception>
#include <string_view>
#include <vector>

#include "common.hpp"

static py::dict about() {
  py::dict facts;
  facts["technology"] = "pybind11 " + std::to_string(PYBIND11_VERSION_MAJOR) + "." +
                        std::to_string(PYBIND11_VERSION_MINOR) + "." +
                        std::to_string(PYBIND11_VERSION_MICRO);
  facts["compiler"] = ck_compiler();
  facts["kernel"] = "C";
  facts["isa"] = ck_isa();
  return facts;
}

// ---- memory --------------------------------------------------------------------------------

static int64_t str_in(const py::str &text) {
  Py_ssize_t size;
  const char *data = PyUnicode_AsUTF8AndSize(text.ptr(), &size); // kept by `text`
  if (!data)
    throw py::error_already_set();
  return ck_sum_bytes(reinterpret_cast<const uint8_t *>(data), static_cast<size_t>(size));
}

static int64_t bytes_in(const py::bytes &data) {
  std::string_view view = data;
  return ck_sum_bytes(reinterpret_cast<const uint8_t *>(view.data()), view.size());
}

static double array_in(const py::array_t<double, py::array::c_style> &values) {
  if (values.ndim() != 1)
    throw py::value_error("expected one dimension");
  check_contiguous(values, "values");
  return ck_sum_floats(values.data(), static_cast<size_t>(values.size()));
}

static py::array_t<double> array_out(py::ssize_t n) {
  if (n < 0)
    throw py::value_error("n must not be negative");
  py::array_t<double> values(n);
  ck_iota(values.mutable_data(), static_cast<size_t>(n));
  return values;
}

static double list_in(const std::vector<double> &values) {
  return ck_sum_floats(values.data(), values.size());
}

// ---- calls ---------------------------------------------------------------------------------

struct Call {
  const py::function &function;
  std::exception_ptr raised;
};

static double call_python(double x, void *context) {
  Call *call = static_cast<Call *>(context);
  try {
    double value = PyFloat_AsDouble(call->function(x).ptr());
    if (value == -1.0 && PyErr_Occurred())
      throw py::error_already_set();
    return value;
  } catch (...) {
    call->raised = std::current_exception();
    return 0.0;
  }
}

static double callback(const py::function &function, double x) {
  Call call{function, nullptr};
  double result = ck_call(call_python, &call, x);
  if (call.raised)
    std::rethrow_exception(call.raised);
  return result;
}

static void error(int code) {
  int status = ck_fail(code);
  if (status != 0)
    throw py::value_error("native call failed with code " + std::to_string(status));
}

// ---- module --------------------------------------------------------------------------------

COOKBOOK_MODULE(probes, m) {
  m.def("about", &about, "What this door is made with.");
  m.def("noop", &ck_noop);
  m.def("noop_nogil", &ck_noop, py::call_guard<py::gil_scoped_release>());
  m.def("add_int", &ck_add_int);
  m.def("add_float", &ck_add_float);
  m.def("six_scalars", &ck_six_scalars);
  m.def("keywords", &ck_keywords, py::arg("x"), py::kw_only(), py::arg("scale") = 1.0,
        py::arg("offset") = 0.0);
  m.def("str_in", &str_in);
  m.def("bytes_in", &bytes_in);
  m.def("array_in", &array_in, py::arg().noconvert());
  m.def("array_out", &array_out);
  m.def("list_in", &list_in);
  m.def("callback", &callback);
  m.def("error", &error);
}
