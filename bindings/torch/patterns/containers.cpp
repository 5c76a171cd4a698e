// Lists and tuples through torch's dispatcher.
//
// Shows:  lists of floats and texts as vectors; several results as a std::tuple.
// Build:  ../CMakeLists.txt.
// Bites:  the vector is the op's own copy of the list: Python code that changes the list meanwhile
//         does not change the copy.
#include <tuple>
#include <vector>

#include "common.hpp"

static double list_in(const std::vector<double> &values) {
  return ck_sum_floats(values.data(), values.size());
}

static std::vector<double> list_out(int64_t n) {
  std::vector<double> values(static_cast<size_t>(n)); // a negative n becomes far too large
  ck_iota(values.data(), values.size());
  return values;
}

static int64_t strings_in(const std::vector<std::string> &texts) {
  int64_t sum = 0;
  for (const std::string &text : texts)
    sum += ck_sum_bytes(utf8(text), text.size());
  return sum;
}

static double dict_in(const std::vector<std::string> &keys, const std::vector<double> &values) {
  STD_TORCH_CHECK(keys.size() == values.size(), "there must be a value for each key");
  double sum = 0.0;
  for (size_t i = 0; i < keys.size(); i++)
    sum += ck_weigh(utf8(keys[i]), keys[i].size(), values[i]);
  return sum;
}

static std::tuple<int64_t, int64_t> tuple_out(int64_t a, int64_t b) {
  int64_t smaller, larger;
  ck_order(a, b, &smaller, &larger);
  return {smaller, larger};
}

// ---- operators -----------------------------------------------------------------------------

STABLE_TORCH_LIBRARY_FRAGMENT(ffi_cookbook, m) {
  m.def("list_in(float[] values) -> float");
  m.def("list_out(int n) -> float[]");
  m.def("strings_in(str[] texts) -> int");
  m.def("dict_in(str[] keys, float[] values) -> float");
  m.def("tuple_out(int a, int b) -> (int, int)");
}

STABLE_TORCH_LIBRARY_IMPL(ffi_cookbook, CompositeExplicitAutograd, m) {
  m.impl("list_in", TORCH_BOX(&list_in));
  m.impl("list_out", TORCH_BOX(&list_out));
  m.impl("strings_in", TORCH_BOX(&strings_in));
  m.impl("dict_in", TORCH_BOX(&dict_in));
  m.impl("tuple_out", TORCH_BOX(&tuple_out));
}
