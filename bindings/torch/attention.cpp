// Attention through torch's dispatcher, forward and backward.
//
// Shows:  optional arguments; several results; a backward pass that is an operator of its own.
// Build:  CMakeLists.txt beside this file.
// Bites:  a gradient may be expanded, with strides of 0, as that of a sum is.
#include <torch/csrc/stable/ops.h>

#include <cmath>
#include <optional>
#include <tuple>
#include <vector>

#include "common.hpp"

using Shape = std::vector<int64_t>;

// ---- arguments -----------------------------------------------------------------------------

static const void *check(const Tensor &x, const char *name, const Tensor &q, const Shape &shape) {
  STD_TORCH_CHECK(x.scalar_type() == q.scalar_type(), name, " must have the dtype of q");
  std::string sizes;
  for (int64_t size : shape)
    sizes += (sizes.empty() ? "" : ", ") + std::to_string(size);
  STD_TORCH_CHECK(x.sizes().vec() == shape, name, " must have shape (", sizes, ")");
  const void *data = checked(x, x.const_data_ptr());
  bool aligned = reinterpret_cast<uintptr_t>(data) % x.element_size() == 0;
  STD_TORCH_CHECK(aligned, name, " must be aligned");
  return data;
}

static ck_attention_array strided(const Tensor &x, const char *name, const Tensor &q,
                                  const Shape &shape) {
  const void *data = check(x, name, q, shape);
  return {data, x.stride(0), x.stride(1), x.stride(2), x.stride(3)};
}

// Return the elements of a small tensor, which is replaced by a contiguous one.
static const void *packed(Tensor &x, const char *name, const Tensor &q, const Shape &shape) {
  x = torch::stable::contiguous(x);
  return check(x, name, q, shape);
}

static ck_attention describe(const Tensor &q, const Tensor &k, int64_t window,
                             std::optional<double> scale, double softcap, int64_t threads) {
  bool is_float = q.scalar_type() == ScalarType::Float;
  STD_TORCH_CHECK(is_float || q.scalar_type() == ScalarType::Double,
                  "q must be float32 or float64");
  STD_TORCH_CHECK(q.dim() == 4 && k.dim() == 4, "q and k must have 4 dimensions, not ", q.dim(),
                  " and ", k.dim());
  double factor = scale.value_or(1 / std::sqrt(static_cast<double>(q.size(3))));
  threads = std::clamp<int64_t>(threads, 0, 64);
  return {is_float ? CK_FLOAT32 : CK_FLOAT64, static_cast<int32_t>(threads), q.size(0), q.size(1),
          k.size(1), q.size(2), k.size(2), q.size(3), window, factor, softcap};
}

// Throw the kernel's error. torch turns it into a RuntimeError.
static void check(int code, const ck_error &error) {
  if (code == CK_OK)
    return;
  if (code == CK_MEMORY)
    throw std::bad_alloc();
  STD_TORCH_CHECK(error.field != 1, "threads must be at least 1");
  STD_TORCH_CHECK(error.field != 4, "k has ", error.actual, " heads, which must divide those of q");
  STD_TORCH_CHECK(error.field != 7, "q's last size must be from 1 to 256, not ", error.actual);
  STD_TORCH_CHECK(error.field != 8, "window must be at least 1, not ", error.actual);
  STD_TORCH_CHECK(error.field != 9, "scale must be finite");
  STD_TORCH_CHECK(false, "softcap must be finite and at least 0");
}

static Tensor new_of(const Tensor &q, const Shape &shape) {
  return new_tensor(q.scalar_type(), shape.data(), static_cast<int64_t>(shape.size()));
}

// ---- kernel --------------------------------------------------------------------------------

static std::tuple<Tensor, Tensor> forward(const Tensor &q, const Tensor &k, const Tensor &v,
                                          std::optional<Tensor> sink, int64_t window,
                                          std::optional<double> scale, double softcap,
                                          int64_t threads) {
  ck_attention a = describe(q, k, window, scale, softcap, threads);
  Shape of_q{a.batch, a.heads, a.queries, a.head_size};
  Shape of_k{a.batch, a.kv_heads, a.keys, a.head_size};
  auto x = strided(q, "q", q, of_q), y = strided(k, "k", q, of_k), z = strided(v, "v", q, of_k);
  const void *logits = sink ? packed(*sink, "sink", q, {a.heads}) : nullptr;
  Tensor out = new_of(q, of_q), lse = new_of(q, {a.batch, a.heads, a.queries});
  ck_error error;
  check(ck_attention_forward(&a, &x, &y, &z, logits, out.mutable_data_ptr(), lse.mutable_data_ptr(),
                             &error),
        error);
  return {out, lse};
}

static std::tuple<Tensor, Tensor, Tensor, Tensor>
backward(const Tensor &grad_out, Tensor grad_lse, const Tensor &q, const Tensor &k, const Tensor &v,
         std::optional<Tensor> sink, Tensor out, Tensor lse, int64_t window,
         std::optional<double> scale, double softcap, int64_t threads) {
  ck_attention a = describe(q, k, window, scale, softcap, threads);
  Shape rows{a.batch, a.heads, a.queries}, of_q{a.batch, a.heads, a.queries, a.head_size};
  Shape of_k{a.batch, a.kv_heads, a.keys, a.head_size};
  Tensor dq = new_of(q, of_q), dk = new_of(q, of_k), dv = new_of(q, of_k);
  Tensor dsink = new_of(q, {sink ? a.heads : 0});
  ck_attention_gradients all{
      strided(q, "q", q, of_q),
      strided(k, "k", q, of_k),
      strided(v, "v", q, of_k),
      strided(grad_out, "grad_out", q, of_q),
      sink ? packed(*sink, "sink", q, {a.heads}) : nullptr,
      packed(out, "out", q, of_q),
      packed(lse, "lse", q, rows),
      packed(grad_lse, "grad_lse", q, rows),
      dq.mutable_data_ptr(),
      dk.mutable_data_ptr(),
      dv.mutable_data_ptr(),
      sink ? dsink.mutable_data_ptr() : nullptr};
  ck_error error;
  check(ck_attention_backward(&a, &all, &error), error);
  return {dq, dk, dv, dsink};
}

// ---- operators -----------------------------------------------------------------------------

STABLE_TORCH_LIBRARY_FRAGMENT(ffi_cookbook, m) {
  m.def("sliding_attention(Tensor q, Tensor k, Tensor v, Tensor? sink=None, *, int window, "
        "float? scale=None, float softcap=0., int threads=1) -> (Tensor, Tensor)");
  m.def("sliding_attention_backward(Tensor grad_out, Tensor grad_lse, Tensor q, Tensor k, Tensor v, "
        "Tensor? sink, Tensor out, Tensor lse, *, int window, float? scale=None, "
        "float softcap=0., int threads=1) -> (Tensor, Tensor, Tensor, Tensor)");
}

STABLE_TORCH_LIBRARY_IMPL(ffi_cookbook, CPU, m) {
  m.impl("sliding_attention", TORCH_BOX(&forward));
  m.impl("sliding_attention_backward", TORCH_BOX(&backward));
}
