// Text and bytes through torch's dispatcher.
//
// Shows:  str both ways; bytes both ways, as tensors of uint8, and changed in place.
// Build:  ../CMakeLists.txt.
// Bites:  a str arrives as UTF-8 in a std::string, which is copied several times on its way.
#include "common.hpp"

static int64_t str_in(const std::string &text) { return ck_sum_bytes(utf8(text), text.size()); }

static std::string str_out() {
  size_t size;
  const char *text = ck_text(&size);
  return {text, size};
}

static double score(const std::string &text, int64_t n, double x) {
  return ck_score(utf8(text), text.size(), n, x);
}

static int64_t bytes_in(const Tensor &data) {
  return ck_sum_bytes(elements<uint8_t>(data, "data"), size_of(data));
}

static Tensor bytes_out() {
  size_t size;
  const char *text = ck_text(&size);
  return tensor_from(reinterpret_cast<const uint8_t *>(text), size);
}

static void bytes_map(const Tensor &data) {
  uint8_t *bytes = writable<uint8_t>(data, "data");
  ck_inverted(bytes, size_of(data), bytes);
}

// ---- operators -----------------------------------------------------------------------------

STABLE_TORCH_LIBRARY_FRAGMENT(ffi_cookbook, m) {
  m.def("str_in(str text) -> int");
  m.def("str_out() -> str");
  m.def("score(str text, int n, float x) -> float");
  m.def("bytes_in(Tensor data) -> int");
  m.def("bytes_out() -> Tensor");
  m.def("bytes_map(Tensor(a!) data) -> ()");
}

STABLE_TORCH_LIBRARY_IMPL(ffi_cookbook, CompositeExplicitAutograd, m) {
  m.impl("str_in", TORCH_BOX(&str_in));
  m.impl("str_out", TORCH_BOX(&str_out));
  m.impl("score", TORCH_BOX(&score));
  m.impl("bytes_out", TORCH_BOX(&bytes_out));
}

STABLE_TORCH_LIBRARY_IMPL(ffi_cookbook, CPU, m) {
  m.impl("bytes_in", TORCH_BOX(&bytes_in));
  m.impl("bytes_map", TORCH_BOX(&bytes_map));
}
