// Arrays through torch's dispatcher.
//
// Shows:  the checks of a tensor before its memory is used; tensors that are written to, which the
//         schema must declare: Tensor(a!).
// Build:  ../CMakeLists.txt.
// Bites:  a tensor may have any shape, dtype, device and strides until the op has checked. Strides
//         count elements, not bytes.
#include "common.hpp"

static double array_in(const Tensor &values) {
  STD_TORCH_CHECK(values.dim() == 1, "values must have one dimension");
  return ck_sum_floats(elements<double>(values, "values"), size_of(values));
}

static double strided_in(const Tensor &values) {
  STD_TORCH_CHECK(values.dim() == 1, "values must have one dimension");
  const double *data = data_of<double>(values);
  check_aligned(data, "values");
  constexpr ptrdiff_t size = sizeof(double);
  return ck_sum_strided(data, size_of(values), size_of(values) > 1 ? values.stride(0) * size : 0);
}

static void array_out(const Tensor &values) {
  ck_iota(writable<double>(values, "values"), size_of(values));
}

static void array_map(const Tensor &values, const Tensor &out) {
  ck_doubled(elements<double>(values, "values"), size_of(values), result_for<double>(values, out));
}

static void array_inplace(const Tensor &values, double factor) {
  ck_scale(writable<double>(values, "values"), size_of(values), factor);
}

static void scaled(const Tensor &values, double factor, const Tensor &out) {
  ck_scaled(elements<double>(values, "values"), size_of(values), factor,
            result_for<double>(values, out));
}

// ---- operators -----------------------------------------------------------------------------

STABLE_TORCH_LIBRARY_FRAGMENT(ffi_cookbook, m) {
  m.def("array_in(Tensor values) -> float");
  m.def("strided_in(Tensor values) -> float");
  m.def("array_out(Tensor(a!) values) -> ()");
  m.def("array_map(Tensor values, Tensor(a!) out) -> ()");
  m.def("array_inplace(Tensor(a!) values, float factor) -> ()");
  m.def("scaled(Tensor values, float factor, Tensor(a!) out) -> ()");
}

STABLE_TORCH_LIBRARY_IMPL(ffi_cookbook, CPU, m) {
  m.impl("array_in", TORCH_BOX(&array_in));
  m.impl("strided_in", TORCH_BOX(&strided_in));
  m.impl("array_out", TORCH_BOX(&array_out));
  m.impl("array_map", TORCH_BOX(&array_map));
  m.impl("array_inplace", TORCH_BOX(&array_inplace));
  m.impl("scaled", TORCH_BOX(&scaled));
}
