// Calling back, failing and long work through torch's dispatcher.
//
// Shows:  an op called by its name from C++, which is how torch comes back to Python; a failure
//         returned as integers, all zero if there was none; work that resumes where the last call
//         stopped.
// Build:  ../CMakeLists.txt.
// Bites:  no schema takes a Python function: `call_python` is declared here and implemented in
//         Python. Throwing an exception through frames of C is undefined, so the status of the
//         inner call is saved until the C function is done.
#include <climits>
#include <tuple>

#include "common.hpp"

// ---- calling back --------------------------------------------------------------------------

static double call_python(double x, void *failed) {
  if (*static_cast<bool *>(failed)) // by an earlier call of the same library function
    return 0.0;
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

// ---- failing -------------------------------------------------------------------------------

static int c_int(int64_t code) {
  STD_TORCH_CHECK(code >= INT_MIN && code <= INT_MAX, "code must fit in an int, not ", code);
  return static_cast<int>(code);
}

static int64_t error(int64_t code) { return ck_fail(c_int(code)); }

static std::tuple<int64_t, int64_t> error_fields(int64_t code, int64_t offset) {
  ck_failure failure{};
  if (ck_fail_at(c_int(code), offset, &failure) == 0)
    return {0, 0};
  return {failure.code, failure.offset};
}

// ---- long work -----------------------------------------------------------------------------

static int64_t work(int64_t state, int64_t rounds) {
  STD_TORCH_CHECK(rounds >= 0, "rounds must not be negative: ", rounds);
  return static_cast<int64_t>(ck_work(static_cast<uint64_t>(state), static_cast<uint64_t>(rounds)));
}

// ---- operators -----------------------------------------------------------------------------

STABLE_TORCH_LIBRARY_FRAGMENT(ffi_cookbook, m) {
  m.def("call_python(float x) -> float");
  m.def("callback(float x) -> float");
  m.def("error(int code) -> int");
  m.def("error_fields(int code, int offset) -> (int, int)");
  m.def("work(int state, int rounds) -> int");
}

STABLE_TORCH_LIBRARY_IMPL(ffi_cookbook, CompositeExplicitAutograd, m) {
  m.impl("callback", TORCH_BOX(&callback));
  m.impl("error", TORCH_BOX(&error));
  m.impl("error_fields", TORCH_BOX(&error_fields));
  m.impl("work", TORCH_BOX(&work));
}
