// What is commonly written with pybind11, and paid for.
//
// Shows:  the conversions that come with the headers: short, general, copying.
// Build:  one of the sources of pybind11_add_module(... patterns/*.cpp).
// Bites:  nothing in Python tells it from the other pages but a clock, and what it lets pass.
#include <pybind11/functional.h>
#include <pybind11/stl.h>

#include <exception>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "patterns.hpp"

static double keywords(double x, const py::kwargs &options) {
  double scale = options.contains("scale") ? options["scale"].cast<double>() : 1.0;
  double offset = options.contains("offset") ? options["offset"].cast<double>() : 0.0;
  return ck_keywords(x, scale, offset);
}

static int64_t str_in(const std::string &text) { return ck_sum_bytes(data_of(text), text.size()); }

static double array_in(const py::array_t<double> &values) {
  if (values.ndim() != 1)
    throw py::value_error("expected one dimension");
  double sum = 0.0;
  for (py::ssize_t i = 0; i < values.size(); i++)
    sum += values.at(i);
  return sum;
}

static py::array_t<double> array_out(py::ssize_t n) {
  if (n < 0)
    throw py::value_error("n must not be negative");
  std::vector<double> values(static_cast<size_t>(n));
  ck_iota(values.data(), values.size());
  return py::array_t<double>(n, values.data());
}

static double list_in(const std::vector<double> &values) {
  return ck_sum_floats(values.data(), values.size());
}

static double dict_in(const std::map<std::string, double> &weights) {
  double sum = 0.0;
  for (const auto &[name, weight] : weights)
    sum += ck_weigh(data_of(name), name.size(), weight);
  return sum;
}

static double struct_in(const py::object &point) {
  return ck_point_sum({point.attr("x").cast<double>(), point.attr("y").cast<double>()});
}

// ---- calls ---------------------------------------------------------------------------------

struct Call {
  const std::function<double(double)> &function;
  std::exception_ptr raised;
};

static double call_function(double x, void *context) {
  Call *call = static_cast<Call *>(context);
  try {
    return call->function(x);
  } catch (...) {
    call->raised = std::current_exception();
    return 0.0;
  }
}

static double callback(const std::function<double(double)> &function, double x) {
  Call call{function, nullptr};
  double result = ck_call(call_function, &call, x);
  if (call.raised)
    std::rethrow_exception(call.raised);
  return result;
}

static void error(int code) {
  if (int status = ck_fail(code); status != 0)
    throw py::value_error("native call failed with code " + std::to_string(status));
}

void naive(py::module_ &m) {
  m.def("keywords", &keywords, py::arg("x"),
        "keywords(x, **options)\n--\n\nTakes py::kwargs: a dict for every call, and nothing tells "
        "of a misspelt name.");
  m.def("str_in", &str_in,
        "str_in(text, /)\n--\n\nTakes std::string: the text is copied, and bytes pass as text.");
  m.def("array_in", &array_in,
        "array_in(values, /)\n--\n\nTakes py::array_t as it comes: what is no float64 array is "
        "converted in silence, and at() "
        "checks every index.");
  m.def("array_out", &array_out,
        "array_out(n, /)\n--\n\nFills a std::vector and copies it into the array.");
  m.def("list_in", &list_in,
        "list_in(values, /)\n--\n\nTakes std::vector: a generic iterator fetches every item.");
  m.def("dict_in", &dict_in, py::arg().noconvert(), // __float__ would run unsafely, see containers
        "dict_in(weights, /)\n--\n\nTakes std::map: every key is copied, and the order becomes "
        "that of the keys.");
  m.def("struct_in", &struct_in,
        "struct_in(point, /)\n--\n\nTakes py::object: attributes are looked up by name, and their "
        "values converted.");
  m.def("callback", &callback,
        "callback(function, x, /)\n--\n\nTakes std::function: the function is wrapped, and the GIL "
        "asked for though it is held.");
  m.def("error", &error,
        "error(code, /)\n--\n\nThrows py::value_error: the exception translators of all pybind11 "
        "modules are tried, one "
        "throw each.");
}
