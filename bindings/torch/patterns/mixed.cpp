// Arguments of several kinds through torch's dispatcher.
//
// Shows:  the pieces of the other pages, put together.
// Build:  ../CMakeLists.txt.
// Bites:  an op with a tensor among its arguments is registered for one device, not for all.
#include "common.hpp"

static double score(const std::string &text, int64_t n, double x) {
  return ck_score(utf8(text), text.size(), n, x);
}

static void stamp(const Tensor &data, int64_t mark) {
  STD_TORCH_CHECK(mark >= 0 && mark < 256, "mark must be a byte, not ", mark);
  uint8_t *bytes = writable<uint8_t>(data, "data");
  ck_stamp(bytes, size_of(data), static_cast<uint8_t>(mark), bytes);
}

static void scaled(const Tensor &values, double factor, const Tensor &out) {
  ck_scaled(elements<double>(values, "values"), size_of(values), factor,
            result_for<double>(values, out));
}

static void shifted(const Tensor &values, int64_t n, const std::string &text, const Tensor &out) {
  ck_shifted(elements<double>(values, "values"), size_of(values), n, utf8(text), text.size(),
             result_for<double>(values, out));
}

// ---- operators -----------------------------------------------------------------------------

STABLE_TORCH_LIBRARY_FRAGMENT(ffi_cookbook, m) {
  m.def("add_three(int a, int b, int c) -> int");
  m.def("score(str text, int n, float x) -> float");
  m.def("stamp(Tensor(a!) data, int mark) -> ()");
  m.def("scaled(Tensor values, float factor, Tensor(a!) out) -> ()");
  m.def("shifted(Tensor values, int n, str text, Tensor(a!) out) -> ()");
}

STABLE_TORCH_LIBRARY_IMPL(ffi_cookbook, CompositeExplicitAutograd, m) {
  m.impl("add_three", TORCH_BOX(&ck_add_three));
  m.impl("score", TORCH_BOX(&score));
}

STABLE_TORCH_LIBRARY_IMPL(ffi_cookbook, CPU, m) {
  m.impl("stamp", TORCH_BOX(&stamp));
  m.impl("scaled", TORCH_BOX(&scaled));
  m.impl("shifted", TORCH_BOX(&shifted));
}
