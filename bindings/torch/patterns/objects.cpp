// Structs and objects through torch's dispatcher.
//
// Shows:  a struct taken apart by the schema; state in a tensor, so that an op can change it.
// Build:  ../CMakeLists.txt.
// Bites:  the next call would trust any pointer in a tensor: so the tensor holds the state itself,
//         in which every value is safe.
#include <tuple>

#include "common.hpp"

static double struct_in(double x, double y) { return ck_point_sum({x, y}); }

static std::tuple<double, double> struct_out(double x, double y) {
  ck_point point = ck_make_point(x, y);
  return {point.x, point.y};
}

// The counter that a tensor holds.
static ck_counter *counter_in(const Tensor &state) {
  static_assert(sizeof(ck_counter) == sizeof(int64_t));
  STD_TORCH_CHECK(state.numel() == 1, "state must have one element");
  return reinterpret_cast<ck_counter *>(writable<int64_t>(state, "state"));
}

static Tensor counter_new(int64_t value) {
  Tensor state = new_tensor<int64_t>(1);
  ck_counter_start(counter_in(state), value);
  return state;
}

static int64_t counter_add(const Tensor &state, int64_t n) {
  return ck_counter_add(counter_in(state), n);
}

static std::tuple<bool, int64_t> counter_next(const Tensor &state) {
  int64_t item = 0;
  bool more = ck_counter_next(counter_in(state), &item);
  return {more, item};
}

// ---- operators -----------------------------------------------------------------------------

STABLE_TORCH_LIBRARY_FRAGMENT(ffi_cookbook, m) {
  m.def("struct_in(float x, float y) -> float");
  m.def("struct_out(float x, float y) -> (float, float)");
  m.def("counter_new(int value) -> Tensor");
  m.def("counter_add(Tensor(a!) state, int n) -> int");
  m.def("counter_next(Tensor(a!) state) -> (bool, int)");
}

STABLE_TORCH_LIBRARY_IMPL(ffi_cookbook, CompositeExplicitAutograd, m) {
  m.impl("struct_in", TORCH_BOX(&struct_in));
  m.impl("struct_out", TORCH_BOX(&struct_out));
  m.impl("counter_new", TORCH_BOX(&counter_new));
}

STABLE_TORCH_LIBRARY_IMPL(ffi_cookbook, CPU, m) {
  m.impl("counter_add", TORCH_BOX(&counter_add));
  m.impl("counter_next", TORCH_BOX(&counter_next));
}
