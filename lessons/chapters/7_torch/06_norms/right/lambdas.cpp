#include <torch/csrc/stable/library.h>
#include <torch/csrc/stable/ops.h>
#include <torch/csrc/stable/tensor.h>

#include <cmath>

using torch::stable::Tensor;

// Call function with a pointer to the first item, of the type that the tensor has.
template <class Function> static void dispatch(const Tensor &x, Function function) {
  STD_TORCH_CHECK(x.dim() == 2, "a matrix is needed");
  switch (x.scalar_type()) {
  case torch::headeronly::ScalarType::Float:
    return function(x.mutable_data_ptr<float>());
  case torch::headeronly::ScalarType::Double:
    return function(x.mutable_data_ptr<double>());
  default:
    STD_TORCH_CHECK(false, "a matrix of floats is needed");
  }
}

template <class T, class Use> static void each_row(const Tensor &x, T *data, Use use) {
  int64_t rows = x.size(0), columns = x.size(1), down = x.stride(0), right = x.stride(1);
  for (int64_t i = 0; i < rows; i++) {
    double sum = 0;
    for (int64_t j = 0; j < columns; j++)
      sum += std::pow(double(data[i * down + j * right]), 2);
    use(i, std::sqrt(sum));
  }
}

static Tensor norms_of(const Tensor &x) {
  Tensor out;
  dispatch(x, [&](auto *data) {
    out = torch::stable::new_empty(x, {x.size(0)});
    auto *to = static_cast<decltype(data)>(out.mutable_data_ptr());
    each_row(x, data, [&](int64_t i, double norm) { to[i] = norm; });
  });
  return out;
}

static void normalize_in_place(Tensor x) {
  dispatch(x, [&](auto *data) {
    each_row(x, data, [&](int64_t i, double norm) {
      for (int64_t j = 0; norm > 0 && j < x.size(1); j++)
        data[i * x.stride(0) + j * x.stride(1)] /= norm;
    });
  });
}

STABLE_TORCH_LIBRARY(lesson, m) {
  m.def("row_norms(Tensor x) -> Tensor");
  m.def("normalize_(Tensor(a!) x) -> ()");
}

STABLE_TORCH_LIBRARY_IMPL(lesson, CPU, m) {
  m.impl("row_norms", TORCH_BOX(&norms_of));
  m.impl("normalize_", TORCH_BOX(&normalize_in_place));
}
