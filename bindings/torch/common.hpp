// Shared by the pages of this binding.
//
// torch turns every exception of an op, even std::bad_alloc, into a RuntimeError.
#pragma once

#include <torch/csrc/stable/library.h>
#include <torch/csrc/stable/tensor.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <string>

#include "cookbook.h"

using torch::headeronly::ScalarType;
using torch::stable::Tensor;

// ---- arguments -----------------------------------------------------------------------------

// Return the elements at `data`. A tensor without elements has no address, but to a kernel NULL
// means "only count". A tensor on another device has no address here either, and the dispatcher may
// choose the CPU's kernel although one of several tensors is elsewhere.
template <class T> T *checked(const Tensor &tensor, T *data) {
  alignas(8) static char nothing[8];
  STD_TORCH_CHECK(tensor.is_cpu(), "expected tensors in the memory of the CPU");
  STD_TORCH_CHECK(data || tensor.numel() == 0, "expected a tensor whose memory is allocated");
  return data ? data : reinterpret_cast<T *>(nothing);
}

// Return the elements of a tensor of any strides.
template <class T> const T *data_of(const Tensor &tensor) {
  return checked(tensor, tensor.const_data_ptr<T>()); // checks the dtype
}

template <class T> void check_aligned(const T *data, const char *name) {
  STD_TORCH_CHECK(reinterpret_cast<uintptr_t>(data) % alignof(T) == 0, name, " must be aligned");
}

template <class T> T *check_contiguous(const Tensor &tensor, T *data, const char *name) {
  STD_TORCH_CHECK(tensor.is_contiguous(), name, " must be contiguous");
  check_aligned(data, name);
  return data;
}

template <class T> const T *elements(const Tensor &tensor, const char *name) {
  return check_contiguous(tensor, data_of<T>(tensor), name);
}

template <class T> T *writable(const Tensor &tensor, const char *name) {
  return check_contiguous(tensor, checked(tensor, tensor.mutable_data_ptr<T>()), name);
}

inline size_t size_of(const Tensor &tensor) { return static_cast<size_t>(tensor.numel()); }

// Return the memory for one result for each of `values`.
template <class T> T *result_for(const Tensor &values, const Tensor &out) {
  STD_TORCH_CHECK(out.numel() == values.numel(), "out must have as many elements as values");
  return writable<T>(out, "out");
}

inline const uint8_t *utf8(const std::string &text) {
  return reinterpret_cast<const uint8_t *>(text.data());
}

// ---- results -------------------------------------------------------------------------------

// Return an uninitialised contiguous tensor of at most four dimensions. Unlike
// torch::stable::empty, this call bypasses the dispatcher, which makes it cheaper.
inline Tensor new_tensor(ScalarType type, const int64_t *sizes, int64_t dimensions) {
  namespace boxed = torch::stable::detail;
  int64_t strides[4], stride = 1;
  for (int64_t i = dimensions; i-- > 0; stride *= std::max<int64_t>(sizes[i], 1))
    strides[i] = stride;
  AtenTensorHandle handle;
  if (aoti_torch_empty_strided(dimensions, sizes, strides, boxed::to<int32_t>(boxed::from(type)),
                               aoti_torch_device_type_cpu(), 0, &handle) != TORCH_SUCCESS)
    throw std::bad_alloc();
  return Tensor(handle);
}

template <class T> Tensor new_tensor(int64_t n) {
  return new_tensor(torch::headeronly::CppTypeToScalarType<T>::value, &n, 1);
}

// Return a new tensor with a copy of `n` elements.
template <class T> Tensor tensor_from(const T *elements, size_t n) {
  Tensor tensor = new_tensor<T>(static_cast<int64_t>(n));
  if (n > 0)
    std::memcpy(tensor.mutable_data_ptr(), elements, n * sizeof(T));
  return tensor;
}
