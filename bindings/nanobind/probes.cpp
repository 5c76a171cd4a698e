// The cost ledger through nanobind: one function a pattern, each the shortest right way.
//
// Shows:  scalars, text, bytes, arrays and lists in; arrays out; a callback that may raise; an
//         error code turned into an exception.
// Build:  nanobind_add_module(... NOMINSIZE probes.cpp).
// Bites:  an int beyond 64 bits is a TypeError here ("incompatible function arguments"); a C++
//         exception must not cross frames of C.
#include <nanobind/stl/vector.h>

#include <exception>
#include <vector>

#include "common.hpp"

static nb::dict about() {
  std::string version = std::to_string(NB_VERSION_MAJOR) + "." + std::to_string(NB_VERSION_MINOR) +
                        "." + std::to_string(NB_VERSION_PATCH);
  nb::dict facts;
  facts["technology"] = nb::str(("nanobind " + version).c_str());
  facts["compiler"] = nb::str(ck_compiler());
  facts["kernel"] = nb::str("C");
  facts["isa"] = nb::str(ck_isa());
  return facts;
}

// ---- memory --------------------------------------------------------------------------------

static int64_t str_in(const nb::str &text) {
  Py_ssize_t size;
  const char *data = PyUnicode_AsUTF8AndSize(text.ptr(), &size); // kept by `text`
  if (!data)
    throw nb::python_error();
  return ck_sum_bytes(reinterpret_cast<const uint8_t *>(data), static_cast<size_t>(size));
}

static int64_t bytes_in(const nb::bytes &data) {
  return ck_sum_bytes(static_cast<const uint8_t *>(data.data()), data.size());
}

static double array_in(nb::handle object) {
  auto values = array_of<const double, nb::c_contig>(object, "values");
  if (values.ndim() != 1)
    throw nb::value_error("expected one dimension");
  return ck_sum_floats(values.data(), values.size());
}

static nb::ndarray<nb::numpy, double> array_out(int64_t n) {
  if (n < 0)
    throw nb::value_error("n must not be negative");
  size_t size = static_cast<size_t>(n);
  double *values = new double[size];
  nb::capsule owner(values, [](void *memory) noexcept { delete[] static_cast<double *>(memory); });
  ck_iota(values, size);
  return nb::ndarray<nb::numpy, double>(values, {size}, owner);
}

// From a tuple: nanobind lends itself a list's items, which an item's __float__ could release.
static double list_in(const nb::list &values) {
  std::vector<double> numbers;
  if (!nb::try_cast(nb::tuple(values), numbers))
    throw nb::type_error("expected a list of floats");
  return ck_sum_floats(numbers.data(), numbers.size());
}

// ---- calls ---------------------------------------------------------------------------------

struct Call {
  const nb::callable &function;
  std::exception_ptr raised;
};

static double call_python(double x, void *context) {
  Call *call = static_cast<Call *>(context);
  try {
    nb::object result = call->function(x);
    double value = PyFloat_AsDouble(result.ptr());
    if (value == -1.0 && PyErr_Occurred())
      throw nb::python_error();
    return value;
  } catch (...) {
    call->raised = std::current_exception();
    return 0.0;
  }
}

static double callback(const nb::callable &function, double x) {
  Call call{function, nullptr};
  double result = ck_call(call_python, &call, x);
  if (call.raised)
    std::rethrow_exception(call.raised);
  return result;
}

static void error(int code) {
  int status = ck_fail(code);
  if (status != 0)
    throw value_error("native call failed with code " + std::to_string(status));
}

// ---- module --------------------------------------------------------------------------------

NB_MODULE(probes, m) {
  m.def("about", &about, "What this door is made with.");
  m.def("noop", &ck_noop);
  m.def("noop_nogil", &ck_noop, nb::call_guard<nb::gil_scoped_release>());
  m.def("add_int", &ck_add_int);
  m.def("add_float", &ck_add_float);
  m.def("six_scalars", &ck_six_scalars);
  m.def("keywords", &ck_keywords, nb::arg("x"), nb::kw_only(), nb::arg("scale") = 1.0,
        nb::arg("offset") = 0.0);
  m.def("str_in", &str_in);
  m.def("bytes_in", &bytes_in);
  m.def("array_in", &array_in);
  m.def("array_out", &array_out);
  m.def("list_in", &list_in);
  m.def("callback", &callback);
  m.def("error", &error);
}
