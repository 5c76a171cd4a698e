// Several kinds of argument at once through nanobind.
//
// Shows:  bytes filled in after they were made; arrays in and out; text, an int and an array.
// Build:  one of the sources of nanobind_add_module(... NOMINSIZE patterns/*.cpp).
// Bites:  bytes may be written only while nobody else has seen them.
#include <nanobind/stl/string_view.h>

#include "../../_glue/bytes.hpp"
#include "../numbers.hpp"
#include "arrays.hpp"
#include "cookbook.h"

static double score(std::string_view text, Int n, Float x) {
  int64_t whole = value_of(n);
  return ck_score(data_of(text), text.size(), whole, value_of(x));
}

static nb::bytes stamp(const nb::bytes &data, Number<uint8_t> mark) {
  uint8_t byte = value_of(mark);
  nb::bytes stamped(nullptr, data.size());
  auto *out = reinterpret_cast<uint8_t *>(PyBytes_AS_STRING(stamped.ptr()));
  ck_stamp(static_cast<const uint8_t *>(data.data()), data.size(), byte, out);
  return stamped;
}

static nb::object scaled(const nb::object &numpy_empty, nb::handle array, Float factor) {
  double times = value_of(factor);
  auto values = borrowed<Floats>(array);
  const double *data = floats(values);
  nb::object out = numpy_empty(values.size());
  ck_scaled(data, values.size(), times, memory_of(out));
  return out;
}

static nb::object shifted(const nb::object &numpy_empty, nb::handle array, Int n,
                          std::string_view text) {
  int64_t whole = value_of(n);
  auto values = borrowed<Floats>(array);
  const double *data = floats(values);
  nb::object out = numpy_empty(values.size());
  ck_shifted(data, values.size(), whole, data_of(text), text.size(), memory_of(out));
  return out;
}

void mixed(nb::module_ &m) {
  m.def("add_three", numbers(&ck_add_three),
        nb::sig("def add_three(a: int, b: int, c: int, /) -> int"),
        "Return a + b + c modulo 2**64.");
  m.def("score", &score, nb::sig("def score(text: str, n: int, x: float, /) -> float"),
        "Return the sum of the UTF-8 bytes of a text, plus n, plus x.");
  m.def("stamp", &stamp, nb::sig("def stamp(data: bytes, mark: int, /) -> bytes"),
        "Return new bytes, each XORed with mark.");
  nb::object numpy_empty = nb::module_::import_("numpy").attr("empty");
  m.def(
      "scaled",
      [numpy_empty](nb::handle values, Float factor) {
        return scaled(numpy_empty, values, factor);
      },
      nb::sig("def scaled(values: numpy.typing.NDArray[numpy.float64], factor: float, /) -> "
              "numpy.typing.NDArray[numpy.float64]"),
      "Return a new array, values * factor.");
  m.def(
      "shifted",
      [numpy_empty](nb::handle values, Int n, std::string_view text) {
        return shifted(numpy_empty, values, n, text);
      },
      nb::sig("def shifted(values: numpy.typing.NDArray[numpy.float64], n: int, text: str, /) -> "
              "numpy.typing.NDArray[numpy.float64]"),
      "Return a new array, values + n + the sum of the text's bytes.");
}
