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

using Factor = std::optional<double>;
using Shape = std::vector<int64_t>;

// ---- arguments -----------------------------------------------------------------------------

static const void *data_of(const Tensor &x, const char *name, const Tensor &q, const Shape &shape) {
  std::string sizes;
  for (int64_t size : shape)
    sizes += (sizes.empty() ? "" : ", ") + std::to_string(size);
  STD_TORCH_CHECK(x.sizes().vec() == shape, name, " must have shape (", sizes, ")");
  STD_TORCH_CHECK(x.scalar_type() == q.scalar_type(), name, " must have the dtype of q");
  const void *data = checked(x, x.const_data_ptr());
  STD_TORCH_CHECK(uintptr_t(data) % x.element_size() == 0, name, " must be aligned");
  return data;
}

static ck_attention_array strided(const Tensor &x, const char *name, const Tensor &q,
                                  const Shape &shape) {
  return {data_of(x, name, q, shape), x.stride(0), x.stride(1), x.stride(2), x.stride(3)};
}

static ck_attention describe(const Tensor &q, const Tensor &k, int64_t window, Factor scale,
                             double softcap, int64_t threads) {
  auto type = q.scalar_type() == ScalarType::Float ? CK_FLOAT32 : CK_FLOAT64;
  STD_TORCH_CHECK(type == CK_FLOAT32 || q.scalar_type() == ScalarType::Double,
                  "q must be of floats of 16, 32 or 64 bits");
  STD_TORCH_CHECK(q.dim() == 4 && k.dim() == 4, "q and k must have 4 dimensions");
  int64_t batch = q.size(0), heads = q.size(1), queries = q.size(2), size = q.size(3);
  int64_t kv_heads = k.size(1), keys = k.size(2), most = std::clamp<int64_t>(threads, 0, 64);
  double factor = scale.value_or(1 / std::sqrt(static_cast<double>(size)));
  return {type, int32_t(most), batch,  heads,  kv_heads, queries,
          keys, size,          window, factor, softcap};
}

// Return x, or a float32 copy of 16-bit floats.
static Tensor wide(const Tensor &x) {
  bool half = x.scalar_type() == ScalarType::Half || x.scalar_type() == ScalarType::BFloat16;
  return half ? torch::stable::to(x, ScalarType::Float) : x;
}

static Tensor as(ScalarType type, const Tensor &x) {
  return x.scalar_type() == type ? x : torch::stable::to(x, type);
}

// Throw the kernel's error. torch turns it into a RuntimeError.
static void check(int code, const ck_error &error) {
  if (code == CK_MEMORY)
    throw std::bad_alloc();
  bool holds = code == CK_OK;
  STD_TORCH_CHECK(holds || error.field != 1, "threads must be at least 1");
  STD_TORCH_CHECK(holds || error.field != 4, "k has ", error.actual, " heads, q not a multiple");
  STD_TORCH_CHECK(holds || error.field != 7, "size ", error.actual, " of q is over 256 or 0");
  STD_TORCH_CHECK(holds || error.field != 8, "window must be at least 1, not ", error.actual);
  STD_TORCH_CHECK(holds, "scale and softcap must be finite, and softcap at least 0");
}

// ---- kernel --------------------------------------------------------------------------------

static std::tuple<Tensor, Tensor> forward(Tensor q, Tensor k, Tensor v, std::optional<Tensor> sink,
                                          int64_t window, Factor scale, double softcap,
                                          int64_t threads) {
  ScalarType type = q.scalar_type();
  q = wide(q), k = wide(k), v = wide(v);
  ck_attention a = describe(q, k, window, scale, softcap, threads);
  Shape of_q = q.sizes().vec(), of_k{a.batch, a.kv_heads, a.keys, a.head_size};
  auto x = strided(q, "q", q, of_q), y = strided(k, "k", q, of_k), z = strided(v, "v", q, of_k);
  sink = sink ? wide(torch::stable::contiguous(*sink)) : sink;
  const void *logits = sink ? data_of(*sink, "sink", q, {a.heads}) : nullptr;
  Tensor out = new_tensor(q.scalar_type(), of_q.data(), 4);
  Tensor lse = new_tensor(q.scalar_type(), of_q.data(), 3);
  void *o = out.mutable_data_ptr(), *l = lse.mutable_data_ptr();
  ck_error error;
  check(ck_attention_forward(&a, &x, &y, &z, logits, o, l, &error), error);
  return {as(type, out), lse};
}

static std::tuple<Tensor, Tensor, Tensor, Tensor>
backward(Tensor grad_out, Tensor grad_lse, Tensor q, Tensor k, Tensor v, std::optional<Tensor> sink,
         Tensor out, Tensor lse, int64_t window, Factor scale, double softcap, int64_t threads) {
  ScalarType types[] = {q.scalar_type(), k.scalar_type(), v.scalar_type(),
                        (sink ? *sink : q).scalar_type()};
  q = wide(q), k = wide(k), v = wide(v), grad_out = wide(grad_out);
  ck_attention a = describe(q, k, window, scale, softcap, threads);
  Shape of_q = q.sizes().vec(), of_k{a.batch, a.kv_heads, a.keys, a.head_size};
  Shape rows{a.batch, a.heads, a.queries}, of_sink{sink ? a.heads : 0};
  auto make = [&](const Shape &x) { return new_tensor(q.scalar_type(), x.data(), x.size()); };
  Tensor dq = make(of_q), dk = make(of_k), dv = make(of_k), dsink = make(of_sink);
  ck_attention_gradients all{};
  all.q = strided(q, "q", q, of_q), all.grad_out = strided(grad_out, "grad_out", q, of_q);
  all.k = strided(k, "k", q, of_k), all.v = strided(v, "v", q, of_k);
  sink = sink ? wide(torch::stable::contiguous(*sink)) : sink;
  all.sink = sink ? data_of(*sink, "sink", q, of_sink) : nullptr;
  all.out = data_of(out = wide(torch::stable::contiguous(out)), "out", q, of_q);
  all.lse = data_of(lse = torch::stable::contiguous(lse), "lse", q, rows);
  all.grad_lse = data_of(grad_lse = torch::stable::contiguous(grad_lse), "grad_lse", q, rows);
  all.dq = dq.mutable_data_ptr(), all.dk = dk.mutable_data_ptr(), all.dv = dv.mutable_data_ptr();
  all.dsink = sink ? dsink.mutable_data_ptr() : nullptr;
  ck_error error;
  check(ck_attention_backward(&a, &all, &error), error);
  return {as(types[0], dq), as(types[1], dk), as(types[2], dv), as(types[3], dsink)};
}

// ---- operators -----------------------------------------------------------------------------

STABLE_TORCH_LIBRARY_FRAGMENT(ffi_cookbook, m) {
  m.def("sliding_attention(Tensor q, Tensor k, Tensor v, Tensor? sink=None, *, int window, "
        "float? scale=None, float softcap=0., int threads=1) -> (Tensor, Tensor)");
  m.def("sliding_attention_backward(Tensor grad_out, Tensor grad_lse, Tensor q, Tensor k, "
        "Tensor v, Tensor? sink, Tensor out, Tensor lse, *, int window, float? scale=None, "
        "float softcap=0., int threads=1) -> (Tensor, Tensor, Tensor, Tensor)");
}

STABLE_TORCH_LIBRARY_IMPL(ffi_cookbook, CPU, m) {
  m.impl("sliding_attention", TORCH_BOX(&forward));
  m.impl("sliding_attention_backward", TORCH_BOX(&backward));
}
