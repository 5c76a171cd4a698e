// Lists, dicts and tuples through nanobind.
//
// Shows:  C++ containers made of Python's by the signature, as nanobind's documentation has it, and
//         turned into Python's; a list read item by item, a dict without a copy.
// Build:  one of the sources of nanobind_add_module(... NOMINSIZE patterns/*.cpp).
// Bites:  items of a list or dict are borrowed, and __float__ may run Python code that drops them:
//         hold the item in use. Without the GIL another thread may change the container: lock it,
//         or its items, and values[i] itself, may be gone. A std::vector as an argument holds none, and can crash: it is
//         quick, and safe only if converting an item runs no Python code, as for text.
#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <utility>
#include <vector>

#include "../../_glue/bytes.hpp"
#include "../../_glue/idiomatic.hpp"
#include "../numbers.hpp"
#include "cookbook.h"

static double list_in(const nb::list &values) {
  std::vector<double> numbers;
  nb::ft_object_guard lock(values); // a lock where there is no GIL
  numbers.reserve(values.size());
  for (size_t i = 0; i < values.size(); i++) { // to_double may change the list
    nb::object value = values[i];
    numbers.push_back(to_double(value));
  }
  return ck_sum_floats(numbers.data(), numbers.size());
}

static std::vector<double> list_out(int64_t n) {
  if (n < 0)
    throw nb::value_error("n must not be negative");
  std::vector<double> values(static_cast<size_t>(n));
  ck_iota(values.data(), values.size());
  return values;
}

static int64_t strings_in(const nb::list &texts) {
  nb::ft_object_guard lock(texts);
  int64_t sum = 0;
  for (size_t i = 0; i < texts.size(); i++) {
    nb::object text = texts[i];
    std::string_view bytes = utf8(text.ptr());
    sum += ck_sum_bytes(data_of(bytes), bytes.size());
  }
  return sum;
}

static double dict_in(const nb::dict &weights) {
  double sum = 0.0;
  for (auto [name, weight] : weights) { // locks it where there is no GIL
    nb::object key = nb::borrow(name);
    nb::object number = nb::borrow(weight);
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

void containers(nb::module_ &m, nb::module_ &idiomatic) {
  // ---- as documented -----------------------------------------------------------------------
  // The tool makes the std:: containers, which takes every sequence or mapping, and copies.
  idiomatic.def("list_in", &idioms::list_in, nb::arg("values"),
                "Take any sequence of objects with __float__.");
  idiomatic.def("strings_in", &idioms::strings_in, nb::arg("texts"),
                "Copy every text, and take any sequence of str.");
  idiomatic.def("dict_in", &idioms::dict_in, nb::arg("weights"),
                "Copy every key, sort them, and take any mapping.");

  // ---- checked -----------------------------------------------------------------------------
  m.def("list_in", &list_in, nb::sig("def list_in(values: list[float], /) -> float"),
        "Return the sum of a list of floats.");
  m.def("list_out", numbers(&list_out), nb::sig("def list_out(n: int, /) -> list[float]"),
        "Return a new list 0.0, 1.0 ... n - 1.");
  m.def("strings_in", &strings_in, nb::sig("def strings_in(texts: list[str], /) -> int"),
        "Return the sum of the UTF-8 bytes of a list of texts.");
  m.def("dict_in", &dict_in, nb::sig("def dict_in(weights: dict[str, float], /) -> float"),
        "Return the sum of each key's UTF-8 bytes times its value.");
  m.def("tuple_out", numbers(&tuple_out),
        nb::sig("def tuple_out(a: int, b: int, /) -> tuple[int, int]"),
        "Return the smaller and the larger of two integers.");
}
