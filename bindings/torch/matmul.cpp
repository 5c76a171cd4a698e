// matmul through torch's dispatcher.
//
// Shows:  an operator of two forms, one that allocates and one that fills `out`, each a schema and
//         a function; tensors of any strides; torch::stable, the part of torch's C++ that stays
//         binary compatible.
// Build:  CMakeLists.txt beside this file; only libtorch_cpu is linked, and no part of Python.
// Bites:  TORCH_TARGET_VERSION is 0x020a... for 2.10: the bytes are hexadecimal. Strides count
//         elements, not bytes. The op is registered for CPU only: it has no kernel on other
//         devices.
#include <array>

#include "common.hpp"

// ---- arguments -----------------------------------------------------------------------------

// Describe a tensor for the kernel, which checks it.
static ck_array describe(const Tensor &tensor, const void *data) {
  bool is_float = tensor.scalar_type() == ScalarType::Float;
  STD_TORCH_CHECK(is_float || tensor.scalar_type() == ScalarType::Double,
                  "expected tensors of float32 or float64");
  ck_array view{const_cast<void *>(checked(tensor, data)), is_float ? CK_FLOAT32 : CK_FLOAT64,
                static_cast<int32_t>(tensor.dim())};
  for (int32_t i = 0; i < view.ndim && i < 3; i++) {
    view.shape[i] = tensor.size(i);
    view.strides[i] = tensor.stride(i) * view.dtype; // of elements
  }
  return view;
}

// Throw the kernel's error. torch turns it into a RuntimeError.
static void check(int code, const ck_error &error) {
  if (code == CK_OK)
    return;
  if (code == CK_MEMORY)
    throw std::bad_alloc();
  const char *name = std::array{"a", "b", "out"}.at(static_cast<size_t>(error.field));
  STD_TORCH_CHECK(code != CK_DTYPE, name, " must have the dtype of the other tensors");
  STD_TORCH_CHECK(code != CK_DIMENSIONS, name, " must have 2 or 3 dimensions, not ", error.actual);
  STD_TORCH_CHECK(code != CK_INNER_SIZE, "a has ", error.expected, " columns but b has ",
                  error.actual, " rows");
  STD_TORCH_CHECK(code != CK_BATCH_SIZE, "a has ", error.expected, " matrices but b has ",
                  error.actual);
  STD_TORCH_CHECK(code != CK_THREADS, "threads must be at least 1, not ", error.actual);
  std::string batch = error.record < 0 ? "" : std::to_string(error.record) + ", ";
  STD_TORCH_CHECK(code != CK_SHAPE, "out must have shape (", batch, error.expected, ", ",
                  error.actual, ")");
  STD_TORCH_CHECK(code != CK_LAYOUT, "out must be contiguous and aligned");
  STD_TORCH_CHECK(code != CK_OVERLAP, "out must not overlap a or b");
}

// ---- kernel --------------------------------------------------------------------------------

static void multiply(const ck_array &a, const ck_array &b, const Tensor &out, int64_t threads) {
  ck_array product = describe(out, out.mutable_data_ptr());
  ck_error error;
  check(ck_matmul(&a, &b, &product, threads, &error), error);
}

static Tensor matmul(const Tensor &a, const Tensor &b, int64_t threads) {
  ck_array x = describe(a, a.const_data_ptr()), y = describe(b, b.const_data_ptr()), product;
  ck_error error;
  check(ck_matmul_shape(&x, &y, &product, &error), error);
  auto dtype = product.dtype == CK_FLOAT32 ? ScalarType::Float : ScalarType::Double;
  Tensor out = new_tensor(dtype, product.shape, product.ndim);
  multiply(x, y, out, threads);
  return out;
}

static void matmul_out(const Tensor &a, const Tensor &b, const Tensor &out, int64_t threads) {
  multiply(describe(a, a.const_data_ptr()), describe(b, b.const_data_ptr()), out, threads);
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
