// The cost ledger through torch's dispatcher: one op a pattern.
//
// Shows:  a C function that is an op as it stands, boxed from its own type; str, lists of floats
//         and tensors as arguments; an op called by its name from C++, which is how torch comes
//         back to Python.
// Build:  CMakeLists.txt beside this file.
// Bites:  no schema takes a Python function: `call_python` is only declared here, Python implements
//         it. An exception thrown through frames of C is undefined, so the status of the inner call
//         is kept until the C function is done.
#include <climits>
#include <string>
#include <vector>

#include "common.hpp"

static std::string compiler() { return ck_compiler(); }

static std::string isa() { return ck_isa(); }

// ---- memory --------------------------------------------------------------------------------

static int64_t str_in(const std::string &text) {
  return ck_sum_bytes(reinterpret_cast<const uint8_t *>(text.data()), text.size());
}

static int64_t bytes_in(const Tensor &data) {
  return ck_sum_bytes(elements<uint8_t>(data, "data"), size_of(data));
}

static double array_in(const Tensor &values) {
  return ck_sum_floats(elements<double>(values, "values"), size_of(values));
}

static Tensor array_out(int64_t n) {
  Tensor values = new_tensor<double>({n});
  ck_iota(writable<double>(values, "values"), size_of(values));
  return values;
}

static double list_in(const std::vector<double> &values) {
  return ck_sum_floats(values.data(), values.size());
}

// ---- calls ---------------------------------------------------------------------------------

static double call_python(double x, void *failed) {
  StableIValue stack[] = {torch::stable::detail::from(x)}; // arguments in, results out
  *static_cast<bool *>(failed) = torch_call_dispatcher("ffi_cookbook::call_python", "", stack,
                                                       TORCH_ABI_VERSION) != TORCH_SUCCESS;
  return *static_cast<bool *>(failed) ? 0.0 : torch::stable::detail::to<double>(stack[0]);
}

static double callback(double x) {
  bool failed = false;
  double result = ck_call(call_python, &failed, x);
  STD_TORCH_CHECK(!failed, "ffi_cookbook::call_python failed");
  return result;
}

static int64_t error(int64_t code) {
  STD_TORCH_CHECK(code >= INT_MIN && code <= INT_MAX, "code must fit in an int, not ", code);
  return ck_fail(static_cast<int>(code));
}

// ---- operators -----------------------------------------------------------------------------

STABLE_TORCH_LIBRARY_FRAGMENT(ffi_cookbook, m) {
  m.def("compiler() -> str");
  m.def("isa() -> str");
  m.def("noop() -> ()");
  m.def("add_int(int a, int b) -> int");
  m.def("add_float(float a, float b) -> float");
  m.def("six_scalars(int a, float b, int c, float d, int e, float f) -> float");
  m.def("keywords(float x, *, float scale=1.0, float offset=0.0) -> float");
  m.def("str_in(str text) -> int");
  m.def("bytes_in(Tensor data) -> int");
  m.def("array_in(Tensor values) -> float");
  m.def("array_out(int n) -> Tensor");
  m.def("list_in(float[] values) -> float");
  m.def("call_python(float x) -> float");
  m.def("callback(float x) -> float");
  m.def("error(int code) -> int");
}

// What has no tensor to choose a device by is registered for all of them.
STABLE_TORCH_LIBRARY_IMPL(ffi_cookbook, CompositeExplicitAutograd, m) {
  m.impl("compiler", TORCH_BOX(&compiler));
  m.impl("isa", TORCH_BOX(&isa));
  m.impl("noop", TORCH_BOX(&ck_noop));
  m.impl("add_int", TORCH_BOX(&ck_add_int));
  m.impl("add_float", TORCH_BOX(&ck_add_float));
  m.impl("six_scalars", TORCH_BOX(&ck_six_scalars));
  m.impl("keywords", TORCH_BOX(&ck_keywords));
  m.impl("str_in", TORCH_BOX(&str_in));
  m.impl("array_out", TORCH_BOX(&array_out));
  m.impl("list_in", TORCH_BOX(&list_in));
  m.impl("callback", TORCH_BOX(&callback));
  m.impl("error", TORCH_BOX(&error));
}

STABLE_TORCH_LIBRARY_IMPL(ffi_cookbook, CPU, m) {
  m.impl("bytes_in", TORCH_BOX(&bytes_in));
  m.impl("array_in", TORCH_BOX(&array_in));
}
