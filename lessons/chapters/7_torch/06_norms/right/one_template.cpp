#include <torch/csrc/stable/library.h>
#include <torch/csrc/stable/ops.h>
#include <torch/csrc/stable/tensor.h>

#include <cmath>

using torch::stable::Tensor;
namespace types = torch::headeronly;

// Write the norm of each row to `norms` if there is one, and divide by it if there is not.
template <class T> void work(const Tensor &x, T *norms) {
  auto *first = static_cast<T *>(x.data_ptr());
  for (int64_t i = 0; i < x.size(0); i++, first += x.stride(0)) {
    double squares = 0;
    for (int64_t j = 0; j < x.size(1); j++)
      squares = std::fma(double(first[j * x.stride(1)]), first[j * x.stride(1)], squares);
    if (norms)
      norms[i] = static_cast<T>(std::sqrt(squares));
    for (int64_t j = 0; !norms && squares > 0 && j < x.size(1); j++)
      first[j * x.stride(1)] /= std::sqrt(squares);
  }
}

static void both(const Tensor &x, const Tensor *norms) {
  if (x.scalar_type() == types::ScalarType::Float)
    work<float>(x, norms ? norms->mutable_data_ptr<float>() : nullptr);
  else if (x.scalar_type() == types::ScalarType::Double)
    work<double>(x, norms ? norms->mutable_data_ptr<double>() : nullptr);
  else
    STD_TORCH_CHECK(false, "x must be of floats");
}

static Tensor row_norms(const Tensor &x) {
  STD_TORCH_CHECK(x.dim() == 2, "x must be a matrix");
  Tensor norms = torch::stable::new_empty(x, {x.size(0)});
  if (x.size(0) > 0)
    both(x, &norms);
  return norms;
}

static void normalize(const Tensor &x) {
  STD_TORCH_CHECK(x.dim() == 2, "x must be a matrix");
  both(x, nullptr);
}

STABLE_TORCH_LIBRARY(lesson, library) {
  library.def("row_norms(Tensor x) -> Tensor");
  library.def("normalize_(Tensor(a!) x) -> ()");
}

STABLE_TORCH_LIBRARY_IMPL(lesson, CPU, library) {
  library.impl("row_norms", TORCH_BOX(&row_norms));
  library.impl("normalize_", TORCH_BOX(&normalize));
}
