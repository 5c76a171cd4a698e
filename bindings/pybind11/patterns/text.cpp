// Text, bytes and other buffers through pybind11.
//
// Shows:  str and bytes borrowed, and made from our own memory; any buffer borrowed for a call;
//         bytes filled in after they were made.
// Build:  one of the sources of pybind11_add_module(... patterns/*.cpp).
// Bites:  as the type of an argument std::string_view takes bytes and bytearray too, py::str does
//         not; py::buffer::request() also asks for a format, which not every buffer has.
#include "../../_glue/bytes.hpp"
#include "../numbers.hpp"

static int64_t str_in(const py::str &text) {
  std::string_view bytes = utf8(text.ptr());
  return ck_sum_bytes(data_of(bytes), bytes.size());
}

static std::string_view str_out() {
  size_t size;
  const char *text = ck_text(&size);
  return {text, size};
}

static double score(const py::str &text, int64_t n, double x) {
  std::string_view bytes = utf8(text.ptr());
  return ck_score(data_of(bytes), bytes.size(), n, x);
}

static int64_t bytes_in(const py::bytes &data) {
  std::string_view bytes = data;
  return ck_sum_bytes(data_of(bytes), bytes.size());
}

static py::bytes bytes_out() { return str_out(); }

static py::bytes bytes_map(const py::bytes &data) {
  std::string_view bytes = data;
  py::bytes inverted(nullptr, bytes.size()); // to be filled before it is seen
  auto *out = reinterpret_cast<uint8_t *>(PyBytes_AS_STRING(inverted.ptr()));
  ck_inverted(data_of(bytes), bytes.size(), out);
  return inverted;
}

static int64_t buffer_in(const py::buffer &data) {
  Bytes bytes(data.ptr());
  return ck_sum_bytes(bytes.data(), bytes.size());
}

void text(py::module_ &m) {
  m.def("str_in", &str_in, "str_in(text, /)\n--\n\nReturn the sum of the UTF-8 bytes of a text.");
  m.def("str_out", &str_out, "str_out()\n--\n\nReturn a new str.");
  m.def("score", &score,
        "score(text, n, x, /)\n--\n\nReturn the sum of the UTF-8 bytes of a text, plus n, plus x.");
  m.def("bytes_in", &bytes_in, "bytes_in(data, /)\n--\n\nReturn the sum of the bytes.");
  m.def("bytes_out", &bytes_out, "bytes_out()\n--\n\nReturn new bytes.");
  m.def("bytes_map", &bytes_map,
        "bytes_map(data, /)\n--\n\nReturn new bytes with every bit inverted.");
  m.def("buffer_in", &buffer_in,
        "buffer_in(data, /)\n--\n\nReturn the sum of the bytes of a C-contiguous buffer.");
}
