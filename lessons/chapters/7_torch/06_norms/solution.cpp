// Write two operators in C++:
//
//   lesson::row_norms(Tensor x) -> Tensor         the Euclidean norm of each row of a matrix
//   lesson::normalize_(Tensor(a!) x) -> ()        divides each row by its norm, in place
//
//   >>> torch.ops.lesson.row_norms(torch.tensor([[3.0, 4.0], [0.0, 0.0]]))
//   tensor([5., 0.])
//
// x is float32 or float64, with two dimensions and any strides; it is not copied. Anything else is
// refused by STD_TORCH_CHECK, which becomes a RuntimeError. The norms have the dtype of x and are
// computed in double. A row of zeros stays as it is. Sizes may be 0.
#include <torch/csrc/stable/library.h>
#include <torch/csrc/stable/ops.h>
#include <torch/csrc/stable/tensor.h>

// BEGIN SOLUTION
#include <cmath>

// END SOLUTION
using torch::headeronly::ScalarType;
using torch::stable::Tensor;

//: // TODO: the two functions
// BEGIN SOLUTION
template <class T> static double norm(const T *row, int64_t n, int64_t stride) {
  double sum = 0;
  for (int64_t j = 0; j < n; j++)
    sum += row[j * stride] * double(row[j * stride]);
  return std::sqrt(sum);
}

// Check all that the operators require of x, and return whether it is float32.
static bool checked(const Tensor &x) {
  bool is_float = x.scalar_type() == ScalarType::Float;
  STD_TORCH_CHECK(x.dim() == 2, "x must have 2 dimensions");
  STD_TORCH_CHECK(is_float || x.scalar_type() == ScalarType::Double,
                  "x must be float32 or float64");
  return is_float;
}

template <class T> static double norm_of_row(const Tensor &x, int64_t i) {
  return norm(x.const_data_ptr<T>() + i * x.stride(0), x.size(1), x.stride(1));
}

template <class T> static void fill(const Tensor &x, T *norms) {
  for (int64_t i = 0; i < x.size(0); i++)
    norms[i] = T(norm_of_row<T>(x, i));
}

template <class T> static void divide(const Tensor &x) {
  for (int64_t i = 0; i < x.size(0); i++) {
    T *row = x.mutable_data_ptr<T>() + i * x.stride(0);
    double length = norm_of_row<T>(x, i);
    if (length == 0)
      continue;
    for (int64_t j = 0; j < x.size(1); j++)
      row[j * x.stride(1)] = T(row[j * x.stride(1)] / length);
  }
}

static Tensor row_norms(const Tensor &x) {
  bool is_float = checked(x);
  Tensor norms = torch::stable::new_empty(x, {x.size(0)});
  if (is_float)
    fill(x, norms.mutable_data_ptr<float>());
  else
    fill(x, norms.mutable_data_ptr<double>());
  return norms;
}

static void normalize(const Tensor &x) {
  if (checked(x))
    divide<float>(x);
  else
    divide<double>(x);
}
// END SOLUTION

STABLE_TORCH_LIBRARY(lesson, m) {
  m.def("row_norms(Tensor x) -> Tensor");
  //: // TODO: the other schema
  // BEGIN SOLUTION
  m.def("normalize_(Tensor(a!) x) -> ()");
  // END SOLUTION
}

STABLE_TORCH_LIBRARY_IMPL(lesson, CPU, m) {
  //: // TODO: m.impl(name, TORCH_BOX(&function));
  // BEGIN SOLUTION
  m.impl("row_norms", TORCH_BOX(&row_norms));
  m.impl("normalize_", TORCH_BOX(&normalize));
  // END SOLUTION
}
