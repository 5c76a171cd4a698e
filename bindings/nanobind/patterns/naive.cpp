// What is commonly written with nanobind, and paid for.
//
// Shows:  the conversions that come with the headers: short, general, copying.
// Build:  one of the sources of nanobind_add_module(... NOMINSIZE patterns/*.cpp).
// Bites:  nothing in Python tells it from the other pages but a clock, and what it lets pass.
#include <nanobind/stl/function.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <exception>
#include <functional>
#include <map>
#include <stdexcept>
#include <vector>

#include "patterns.hpp"

static double keywords(double x, const nb::kwargs &options) {
  double scale = options.contains("scale") ? to_double(options["scale"]) : 1.0;
  double offset = options.contains("offset") ? to_double(options["offset"]) : 0.0;
  return ck_keywords(x, scale, offset);
}

static int64_t str_in(const std::string &text) { return ck_sum_bytes(data_of(text), text.size()); }

static double array_in(const nb::iterable &values) {
  std::vector<double> numbers;
  for (nb::handle value : values)
    numbers.push_back(nb::cast<double>(value));
  return ck_sum_floats(numbers.data(), numbers.size());
}

static nb::ndarray<nb::numpy, double> array_out(int64_t n) {
  if (n < 0)
    throw nb::value_error("n must not be negative");
  size_t size = static_cast<size_t>(n);
  double *data = new double[size];
  nb::capsule owner(data, [](void *memory) noexcept { delete[] static_cast<double *>(memory); });
  ck_iota(data, size);
  return nb::ndarray<nb::numpy, double>(data, {size}, owner);
}

static int64_t strings_in(const std::vector<std::string> &texts) {
  int64_t sum = 0;
  for (const std::string &text : texts)
    sum += ck_sum_bytes(data_of(text), text.size());
  return sum;
}

static double dict_in(const std::map<std::string, double> &weights) {
  double sum = 0.0;
  for (const auto &[name, weight] : weights)
    sum += ck_weigh(data_of(name), name.size(), weight);
  return sum;
}

static double struct_in(nb::handle point) {
  return ck_point_sum({to_double(point.attr("x")), to_double(point.attr("y"))});
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
    throw std::invalid_argument("native call failed with code " + std::to_string(status));
}

void naive(nb::module_ &m) {
  m.def("keywords", &keywords, nb::arg("x"), nb::arg("options"),
        "Takes nb::kwargs: a dict for every call, and nothing tells of a misspelt name.");
  m.def("str_in", &str_in, "Takes std::string: the text is copied.");
  m.def("array_in", &array_in,
        "Takes whatever can be iterated over: every item becomes an object of NumPy's before it is "
        "cast.");
  m.def("array_out", &array_out,
        "Returns an nb::ndarray over memory of our own: a capsule, a view and numpy.asarray for "
        "every array.");
  m.def("strings_in", &strings_in, "Takes std::vector<std::string>: every text is copied.");
  m.def("dict_in", &dict_in,
        "Takes std::map: every key is copied, and the order becomes that of the keys.");
  m.def("struct_in", &struct_in, "Takes nb::handle: attributes are looked up by name.");
  m.def("callback", &callback,
        "Takes std::function: the function is wrapped, and the GIL asked for though it is held.");
  m.def("error", &error,
        "Throws std::invalid_argument: the exception translators are tried, one throw each.");
}
