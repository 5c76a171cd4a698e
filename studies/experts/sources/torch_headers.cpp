// The same function through pybind11 and as an operator, for one version of torch and Python.
#include <torch/extension.h>

static double total(const at::Tensor &values) {
  TORCH_CHECK_TYPE(values.is_cpu() && values.dim() == 1 && values.is_contiguous() &&
                       values.scalar_type() == at::kDouble,
                   "expected a vector of doubles");
  const double *data = values.const_data_ptr<double>();
  double sum = 0;
  for (int64_t i = 0; i < values.numel(); i++)
    sum += data[i];
  return sum;
}

PYBIND11_MODULE(torch_headers, m) { m.def("total", &total); }

TORCH_LIBRARY(headers, m) { m.def("total(Tensor values) -> float"); }

TORCH_LIBRARY_IMPL(headers, CPU, m) { m.impl("total", &total); }
