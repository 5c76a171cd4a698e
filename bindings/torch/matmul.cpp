// matmul through torch's dispatcher.
//
// Shows:  an operator of two forms, one that allocates and one that fills `out`, each a schema and
//         a function; tensors of any strides; torch::stable, the part of torch's C++ that stays
//         binary compatible.
// Build:  CMakeLists.txt beside this file; only libtorch_cpu is linked, nothing of Python.
// Bites:  TORCH_TARGET_VERSION is 0x020a... for 2.10: the bytes are hexadecimal. Strides count
//         elements, not bytes. Registered for CPU only: an op has no kernel anywhere else.
#include <algorithm>

#include "common.hpp"

// ---- arguments -----------------------------------------------------------------------------

static void check_operands(const Tensor &a, const Tensor &b, int64_t threads) {
  STD_TORCH_CHECK(a.dim() == 2 && b.dim() == 2, "a and b must have 2 dimensions");
  STD_TORCH_CHECK(a.scalar_type() == b.scalar_type(), "a and b must have one dtype");
  STD_TORCH_CHECK(a.size(1) == b.size(0), "a has ", a.size(1), " columns but b has ", b.size(0),
                  " rows");
  STD_TORCH_CHECK(threads >= 1, "threads must be at least 1, not ", threads);
}

// Whether the memory between first and last element of the one meets that of the other.
template <class T> static bool may_overlap(const Tensor &x, const Tensor &y) {
  auto low = [](const Tensor &t) { return reinterpret_cast<uintptr_t>(data_of<T>(t)); };
  auto high = [&](const Tensor &t) {
    int64_t last = (t.size(0) - 1) * t.stride(0) + (t.size(1) - 1) * t.stride(1);
    return low(t) + static_cast<size_t>(last + 1) * sizeof(T);
  };
  return size_of(x) > 0 && size_of(y) > 0 && low(x) < high(y) && low(y) < high(x);
}

// ---- kernel --------------------------------------------------------------------------------

template <class T>
static void multiply(const Tensor &a, const Tensor &b, const Tensor &out, int64_t threads) {
  constexpr int64_t size = sizeof(T);
  int64_t m = a.size(0), k = a.size(1), n = b.size(1);
  T *result = writable<T>(out, "out");
  constexpr auto kernel = [] {
    if constexpr (size == 4)
      return ck_matmul_f32;
    else
      return ck_matmul_f64;
  }();
  kernel(data_of<T>(a), a.stride(0) * size, a.stride(1) * size, data_of<T>(b), b.stride(0) * size,
         b.stride(1) * size, result, m, k, n, static_cast<int>(std::min<int64_t>(threads, 1024)));
}

template <class T> static Tensor product(const Tensor &a, const Tensor &b, int64_t threads) {
  Tensor out = new_tensor<T>({a.size(0), b.size(1)});
  multiply<T>(a, b, out, threads);
  return out;
}

static Tensor matmul(const Tensor &a, const Tensor &b, int64_t threads) {
  check_operands(a, b, threads);
  bool is_float = a.scalar_type() == torch::headeronly::ScalarType::Float;
  return is_float ? product<float>(a, b, threads) : product<double>(a, b, threads);
}

template <class T>
static void fill(const Tensor &a, const Tensor &b, const Tensor &out, int64_t threads) {
  STD_TORCH_CHECK(out.dim() == 2 && out.size(0) == a.size(0) && out.size(1) == b.size(1),
                  "out must have as many rows as a and as many columns as b");
  STD_TORCH_CHECK(!may_overlap<T>(out, a) && !may_overlap<T>(out, b),
                  "out must not overlap a or b");
  multiply<T>(a, b, out, threads);
}

static void matmul_out(const Tensor &a, const Tensor &b, const Tensor &out, int64_t threads) {
  check_operands(a, b, threads);
  bool is_float = a.scalar_type() == torch::headeronly::ScalarType::Float;
  is_float ? fill<float>(a, b, out, threads) : fill<double>(a, b, out, threads);
}

// ---- operators -----------------------------------------------------------------------------

STABLE_TORCH_LIBRARY_FRAGMENT(ffi_cookbook, m) {
  m.def("matmul(Tensor a, Tensor b, *, int threads=1) -> Tensor");
  m.def("matmul_out(Tensor a, Tensor b, Tensor(out!) out, *, int threads=1) -> ()");
}

STABLE_TORCH_LIBRARY_IMPL(ffi_cookbook, CPU, m) {
  m.impl("matmul", TORCH_BOX(&matmul));
  m.impl("matmul_out", TORCH_BOX(&matmul_out));
}
