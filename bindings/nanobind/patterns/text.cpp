// Text, bytes and other buffers through nanobind.
//
// Shows:  a std::string made of a str, as nanobind's documentation has it; str and bytes borrowed,
//         and made from our own memory; any buffer borrowed for a call; bytes filled in after they
//         were made.
// Build:  one of the sources of nanobind_add_module(... NOMINSIZE patterns/*.cpp).
// Bites:  a lone surrogate has no UTF-8 and raises TypeError here; nb::bytes has no
//         std::string_view; nanobind has no class for the buffer protocol, so a Py_buffer is filled
//         by hand.
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include "../../_glue/bytes.hpp"
#include "../../_glue/idiomatic.hpp"
#include "../numbers.hpp"

static int64_t str_in(std::string_view text) { return ck_sum_bytes(data_of(text), text.size()); }

static std::string_view str_out() {
  size_t size;
  const char *text = ck_text(&size);
  return {text, size};
}

static double score(std::string_view text, Int n, Float x) {
  int64_t whole = value_of(n);
  return ck_score(data_of(text), text.size(), whole, value_of(x));
}

static int64_t bytes_in(const nb::bytes &data) {
  return ck_sum_bytes(static_cast<const uint8_t *>(data.data()), data.size());
}

static nb::bytes bytes_out() {
  std::string_view text = str_out();
  return nb::bytes(text.data(), text.size());
}

static nb::bytes bytes_map(const nb::bytes &data) {
  nb::bytes inverted(nullptr, data.size()); // to be filled before it is seen
  auto *out = reinterpret_cast<uint8_t *>(PyBytes_AS_STRING(inverted.ptr()));
  ck_inverted(static_cast<const uint8_t *>(data.data()), data.size(), out);
  return inverted;
}

static int64_t buffer_in(nb::handle data) {
  Bytes bytes(data.ptr());
  return ck_sum_bytes(bytes.data(), bytes.size());
}

void text(nb::module_ &m, nb::module_ &idiomatic) {
  idiomatic.def("str_in", &idioms::str_in, nb::arg("text"),
                "Copy the text."); // the next one borrows it
  m.def("str_in", &str_in, nb::sig("def str_in(text: str, /) -> int"),
        "Return the sum of the UTF-8 bytes of a text.");
  m.def("str_out", &str_out, "Return a new str.");
  m.def("score", &score, nb::sig("def score(text: str, n: int, x: float, /) -> float"),
        "Return the sum of the UTF-8 bytes of a text, plus n, plus x.");
  m.def("bytes_in", &bytes_in, nb::sig("def bytes_in(data: bytes, /) -> int"),
        "Return the sum of the bytes.");
  m.def("bytes_out", &bytes_out, "Return new bytes.");
  m.def("bytes_map", &bytes_map, nb::sig("def bytes_map(data: bytes, /) -> bytes"),
        "Return new bytes with every bit inverted.");
  m.def("buffer_in", &buffer_in, nb::sig("def buffer_in(data: object, /) -> int"),
        "Return the sum of the bytes of a C-contiguous buffer.");
}
