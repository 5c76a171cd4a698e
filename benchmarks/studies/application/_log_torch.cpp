#include <torch/csrc/stable/library.h>
#include <torch/csrc/stable/tensor.h>

#include "flat.c"

using torch::stable::Tensor;

// An op knows no str and no dict: bytes come as a tensor, and what is wrong goes back as two ints.
static std::tuple<int64_t, int64_t> lines(const Tensor &text, const Tensor &spans,
                                          const Tensor &durations) {
  int32_t code = FINE;
  const char *data = reinterpret_cast<const char *>(text.const_data_ptr<uint8_t>());
  int64_t wrong = split_lines(data, durations.numel(), spans.mutable_data_ptr<int64_t>(),
                              durations.mutable_data_ptr<double>(), &code);
  return {wrong, code};
}

STABLE_TORCH_LIBRARY(log_torch, m) {
  m.def("split_lines(Tensor text, Tensor(a!) spans, Tensor(b!) durations) -> (int, int)");
}

STABLE_TORCH_LIBRARY_IMPL(log_torch, CPU, m) { m.impl("split_lines", TORCH_BOX(&lines)); }
