// Lists, dicts and tuples through pybind11.
//
// Shows:  a list read item by item, a dict without a copy, C++ containers turned into Python's.
// Build:  one of the sources of pybind11_add_module(... patterns/*.cpp).
// Bites:  items of a list or dict are borrowed, and __float__ may run Python code that drops them:
//         hold the item in use. A std::map as an argument holds none, and can crash; std::map and
//         std::vector also take other types than dict and list.
#include <pybind11/critical_section.h>
#include <pybind11/stl.h>

#include <utility>
#include <vector>

#include "../../_glue/bytes.hpp"
#include "../numbers.hpp"
#include "cookbook.h"

static double list_in(const py::list &values) {
  py::scoped_critical_section lock(values); // a lock where there is no GIL
  std::vector<double> numbers;
  numbers.reserve(values.size());
  for (py::handle value : py::tuple(values)) // the list can change meanwhile
    numbers.push_back(to_double(value));
  return ck_sum_floats(numbers.data(), numbers.size());
}

static std::vector<double> list_out(int64_t n) {
  if (n < 0)
    throw py::value_error("n must not be negative");
  std::vector<double> values(static_cast<size_t>(n));
  ck_iota(values.data(), values.size());
  return values;
}

static int64_t strings_in(const py::list &texts) {
  py::scoped_critical_section lock(texts);
  int64_t sum = 0;
  for (py::handle text : py::tuple(texts)) {
    std::string_view bytes = utf8(text.ptr());
    sum += ck_sum_bytes(data_of(bytes), bytes.size());
  }
  return sum;
}

static double dict_in(const py::dict &weights) {
  py::scoped_critical_section lock(weights);
  double sum = 0.0;
  for (auto [name, weight] : weights) {
    auto key = py::reinterpret_borrow<py::object>(name);
    auto number = py::reinterpret_borrow<py::object>(weight);
    double value = to_double(number); // may change the dict: hold the items in use
    std::string_view bytes = utf8(key.ptr());
    sum += ck_weigh(data_of(bytes), bytes.size(), value);
  }
  return sum;
}

static std::pair<int64_t, int64_t> tuple_out(int64_t a, int64_t b) {
  std::pair<int64_t, int64_t> ordered;
  ck_order(a, b, &ordered.first, &ordered.second);
  return ordered;
}

void containers(py::module_ &m) {
  m.def("list_in", &list_in, "list_in(values, /)\n--\n\nReturn the sum of a list of floats.");
  m.def("list_out", &list_out, "list_out(n, /)\n--\n\nReturn a new list 0.0, 1.0 ... n - 1.");
  m.def("strings_in", &strings_in,
        "strings_in(texts, /)\n--\n\nReturn the sum of the UTF-8 bytes of a list of texts.");
  m.def("dict_in", &dict_in,
        "dict_in(weights, /)\n--\n\nReturn the sum of each key's UTF-8 bytes times its value.");
  m.def("tuple_out", &tuple_out,
        "tuple_out(a, b, /)\n--\n\nReturn the smaller and the larger of two integers.");
}
