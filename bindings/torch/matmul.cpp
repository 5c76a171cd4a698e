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

// A tensor as the kernel sees it: a batch of matrices, of one where there are two dimensions.
struct Matrices {
  int64_t count, rows, columns, next, row, column; // the last three are strides, in elements
};

static Matrices matrices(const Tensor &t, const char *name) {
  int64_t d = t.dim() - 2; // where the matrix begins
  STD_TORCH_CHECK(d == 0 || d == 1, name, " must have 2 or 3 dimensions, not ", t.dim());
  int64_t count = d == 0 ? 1 : t.size(0), next = count == 1 ? 0 : t.stride(0);
  return {count, t.size(d), t.size(d + 1), next, t.stride(d), t.stride(d + 1)};
}

struct Product {
  Matrices a, b;
  int64_t count;
  bool batched; // out has three dimensions
};

static Product product(const Tensor &a, const Tensor &b, int64_t threads) {
  Matrices x = matrices(a, "a"), y = matrices(b, "b");
  STD_TORCH_CHECK(a.scalar_type() == b.scalar_type(), "a and b must have one dtype");
  STD_TORCH_CHECK(x.columns == y.rows, "a has ", x.columns, " columns but b has ", y.rows, " rows");
  STD_TORCH_CHECK(x.count == y.count || x.count == 1 || y.count == 1, "a has ", x.count,
                  " matrices but b has ", y.count);
  STD_TORCH_CHECK(threads >= 1, "threads must be at least 1, not ", threads);
  return {x, y, x.count == 1 ? y.count : x.count, a.dim() == 3 || b.dim() == 3};
}

// A shape as Python writes it.
static std::string shape_text(bool batched, int64_t count, int64_t rows, int64_t columns) {
  return "(" + (batched ? std::to_string(count) + ", " : "") + std::to_string(rows) + ", " +
         std::to_string(columns) + ")";
}

// Whether the memory between the first and last element of one tensor meets that of the other.
template <class T> static bool may_overlap(const Tensor &x, const Tensor &y) {
  auto low = [](const Tensor &t) { return reinterpret_cast<uintptr_t>(data_of<T>(t)); };
  auto high = [&](const Tensor &t) {
    int64_t last = 0;
    for (int64_t i = 0; i < t.dim(); i++)
      last += (t.size(i) - 1) * t.stride(i);
    return low(t) + static_cast<size_t>(last + 1) * sizeof(T);
  };
  return size_of(x) > 0 && size_of(y) > 0 && low(x) < high(y) && low(y) < high(x);
}

// ---- kernel --------------------------------------------------------------------------------

template <class T>
static void multiply(const Tensor &a, const Tensor &b, const Product &p, const Tensor &out,
                     int64_t threads) {
  constexpr int64_t size = sizeof(T);
  T *result = writable<T>(out, "out");
  constexpr auto kernel = [] {
    if constexpr (size == 4)
      return ck_matmul_f32;
    else
      return ck_matmul_f64;
  }();
  kernel(data_of<T>(a), p.a.next * size, p.a.row * size, p.a.column * size, data_of<T>(b),
         p.b.next * size, p.b.row * size, p.b.column * size, result, p.count, p.a.rows, p.a.columns,
         p.b.columns, static_cast<int>(std::min<int64_t>(threads, 1024)));
}

template <class T>
static Tensor multiplied(const Tensor &a, const Tensor &b, const Product &p, int64_t threads) {
  Tensor out = p.batched ? new_tensor<T>({p.count, p.a.rows, p.b.columns})
                         : new_tensor<T>({p.a.rows, p.b.columns});
  multiply<T>(a, b, p, out, threads);
  return out;
}

static bool is_float(const Tensor &a) {
  return a.scalar_type() == torch::headeronly::ScalarType::Float;
}

static Tensor matmul(const Tensor &a, const Tensor &b, int64_t threads) {
  Product p = product(a, b, threads);
  return is_float(a) ? multiplied<float>(a, b, p, threads) : multiplied<double>(a, b, p, threads);
}

template <class T>
static void fill(const Tensor &a, const Tensor &b, const Product &p, const Tensor &out,
                 int64_t threads) {
  STD_TORCH_CHECK(!may_overlap<T>(out, a) && !may_overlap<T>(out, b),
                  "out must not overlap a or b");
  multiply<T>(a, b, p, out, threads);
}

static void matmul_out(const Tensor &a, const Tensor &b, const Tensor &out, int64_t threads) {
  Product p = product(a, b, threads);
  Matrices z = matrices(out, "out");
  bool fits = z.count == p.count && z.rows == p.a.rows && z.columns == p.b.columns;
  STD_TORCH_CHECK(fits && (out.dim() == 3) == p.batched, "out must have shape ",
                  shape_text(p.batched, p.count, p.a.rows, p.b.columns), ", not ",
                  shape_text(out.dim() == 3, z.count, z.rows, z.columns));
  is_float(a) ? fill<float>(a, b, p, out, threads) : fill<double>(a, b, p, out, threads);
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
