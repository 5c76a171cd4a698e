#include <torch/csrc/stable/library.h>
#include <torch/csrc/stable/ops.h>
#include <torch/csrc/stable/tensor.h>

#include <stdexcept>

extern "C" { // smooth.h does not say it itself
#include "smooth.h"
}

using torch::stable::Tensor;

static void check(int code) {
  if (code != SMOOTH_OK)
    throw std::runtime_error(smooth_message(code)); // a RuntimeError in Python
}

static Tensor ema(const Tensor &x, double alpha) {
  STD_TORCH_CHECK(x.dim() == 1 && x.is_contiguous(), "x must be contiguous, of one dimension");
  Tensor y = torch::stable::empty_like(x);
  check(smooth_ema(alpha, x.const_data_ptr<double>(), y.mutable_data_ptr<double>(),
                   static_cast<size_t>(x.numel())));
  return y;
}

static int64_t crc32(const Tensor &data) {
  STD_TORCH_CHECK(data.is_contiguous(), "data must be contiguous");
  return smooth_crc32(data.const_data_ptr<uint8_t>(), static_cast<size_t>(data.numel()));
}

STABLE_TORCH_LIBRARY(smooth, m) {
  // A promise: an operator that writes to an argument must declare it, as Tensor(a!).
  m.def("ema(Tensor x, float alpha) -> Tensor");
  m.def("crc32(Tensor data) -> SymInt");
}

STABLE_TORCH_LIBRARY_IMPL(smooth, CPU, m) {
  m.impl("ema", TORCH_BOX(&ema));
  m.impl("crc32", TORCH_BOX(&crc32));
}
