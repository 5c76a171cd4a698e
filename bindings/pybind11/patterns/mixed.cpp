// Several kinds of argument at once through pybind11.
//
// Shows:  bytes filled in after they were made; arrays in and out; text, an int and an array.
// Build:  one of the sources of pybind11_add_module(... patterns/*.cpp).
// Bites:  bytes may be written only while nobody else has seen them.
#include "../../_glue/bytes.hpp"
#include "../numbers.hpp"
#include "arrays.hpp"
#include "cookbook.h"

static double score(const py::str &text, int64_t n, double x) {
  std::string_view bytes = utf8(text.ptr());
  return ck_score(data_of(bytes), bytes.size(), n, x);
}

static py::bytes stamp(const py::bytes &data, uint8_t mark) {
  std::string_view bytes = data;
  py::bytes stamped(nullptr, bytes.size());
  auto *out = reinterpret_cast<uint8_t *>(PyBytes_AS_STRING(stamped.ptr()));
  ck_stamp(data_of(bytes), bytes.size(), mark, out);
  return stamped;
}

static py::array_t<double> scaled(const py::array &values, double factor) {
  const double *data = floats(values);
  py::array_t<double> out(values.size());
  ck_scaled(data, length(values), factor, out.mutable_data());
  return out;
}

static py::array_t<double> shifted(const py::array &values, int64_t n, const py::str &text) {
  const double *data = floats(values);
  std::string_view bytes = utf8(text.ptr());
  py::array_t<double> out(values.size());
  ck_shifted(data, length(values), n, data_of(bytes), bytes.size(), out.mutable_data());
  return out;
}

void mixed(py::module_ &m) {
  m.def("add_three", &ck_add_three, "add_three(a, b, c, /)\n--\n\nReturn a + b + c modulo 2**64.");
  m.def("score", &score,
        "score(text, n, x, /)\n--\n\nReturn the sum of the UTF-8 bytes of a text, plus n, plus x.");
  m.def("stamp", &stamp, "stamp(data, mark, /)\n--\n\nReturn new bytes, each XORed with mark.");
  m.def("scaled", &scaled, "scaled(values, factor, /)\n--\n\nReturn a new array, values * factor.");
  m.def("shifted", &shifted,
        "shifted(values, n, text, /)\n--\n\nReturn a new array, values + n + the sum of the text's "
        "bytes.");
}
