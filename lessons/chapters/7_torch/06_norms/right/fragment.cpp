#include <torch/csrc/stable/library.h>
#include <torch/csrc/stable/ops.h>
#include <torch/csrc/stable/tensor.h>

#include <cmath>

using torch::headeronly::ScalarType;
using torch::stable::Tensor;

struct Matrix {
  char *data;
  bool is_float;
  int64_t rows, columns, down, right;

  explicit Matrix(const Tensor &x) {
    STD_TORCH_CHECK(x.dim() == 2, "expected a matrix, not ", x.dim(), " dimensions");
    is_float = x.scalar_type() == ScalarType::Float;
    STD_TORCH_CHECK(is_float || x.scalar_type() == ScalarType::Double, "expected floats");
    data = static_cast<char *>(x.data_ptr());
    rows = x.size(0), columns = x.size(1), down = x.stride(0), right = x.stride(1);
  }
  double get(int64_t i, int64_t j) const {
    int64_t at = i * down + j * right;
    return is_float ? reinterpret_cast<float *>(data)[at] : reinterpret_cast<double *>(data)[at];
  }
  void set(int64_t i, int64_t j, double value) const {
    int64_t at = i * down + j * right;
    if (is_float)
      reinterpret_cast<float *>(data)[at] = float(value);
    else
      reinterpret_cast<double *>(data)[at] = value;
  }
  double norm(int64_t i) const {
    double sum = 0;
    for (int64_t j = 0; j < columns; j++)
      sum += get(i, j) * get(i, j);
    return std::sqrt(sum);
  }
};

Tensor row_norms(const Tensor &x) {
  Matrix from(x);
  Tensor result = torch::stable::new_zeros(x, {from.rows});
  for (int64_t i = 0; i < from.rows; i++)
    if (from.is_float)
      result.mutable_data_ptr<float>()[i] = float(from.norm(i));
    else
      result.mutable_data_ptr<double>()[i] = from.norm(i);
  return result;
}

void normalize_(const Tensor &x) {
  Matrix matrix(x);
  for (int64_t i = 0; i < matrix.rows; i++)
    if (double norm = matrix.norm(i); norm != 0)
      for (int64_t j = 0; j < matrix.columns; j++)
        matrix.set(i, j, matrix.get(i, j) / norm);
}

STABLE_TORCH_LIBRARY_FRAGMENT(lesson, m) { m.def("row_norms(Tensor x) -> Tensor"); }
STABLE_TORCH_LIBRARY_FRAGMENT(lesson, m) { m.def("normalize_(Tensor(a!) x) -> ()"); }
STABLE_TORCH_LIBRARY_IMPL(lesson, CPU, m) { m.impl("row_norms", TORCH_BOX(&row_norms)); }
STABLE_TORCH_LIBRARY_IMPL(lesson, CPU, m) { m.impl("normalize_", TORCH_BOX(&normalize_)); }
