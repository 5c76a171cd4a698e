// The same operator for every torch from 2.10 on, without Python's headers.
#define TORCH_TARGET_VERSION 0x020a000000000000
#include <torch/csrc/stable/library.h>
#include <torch/csrc/stable/tensor.h>

using torch::headeronly::ScalarType;

static double total(const torch::stable::Tensor &values) {
  STD_TORCH_CHECK(values.is_cpu() && values.dim() == 1 && values.is_contiguous() &&
                      values.scalar_type() == ScalarType::Double,
                  "expected a vector of doubles");
  const double *data = values.const_data_ptr<double>();
  const int64_t n = values.numel();
  double sum = 0;
  for (int64_t i = 0; i < n; i++)
    sum += data[i];
  return sum;
}

STABLE_TORCH_LIBRARY(stable, m) { m.def("total(Tensor values) -> float"); }

STABLE_TORCH_LIBRARY_IMPL(stable, CPU, m) { m.impl("total", TORCH_BOX(&total)); }
