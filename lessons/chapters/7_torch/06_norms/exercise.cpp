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

using torch::headeronly::ScalarType;
using torch::stable::Tensor;

// TODO: the two functions

STABLE_TORCH_LIBRARY(lesson, m) {
  m.def("row_norms(Tensor x) -> Tensor");
  // TODO: the other schema
}

STABLE_TORCH_LIBRARY_IMPL(lesson, CPU, m) {
  // TODO: m.impl(name, TORCH_BOX(&function));
}
