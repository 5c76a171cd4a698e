// Arrays as matrices: what the kernel is told of them, and whether one touches some memory.
#pragma once

#include "common.hpp"

using Array = nb::ndarray<nb::ro, nb::device::cpu>; // of any dtype

// An array as the kernel sees it: a batch of matrices, of one where there are two dimensions.
struct Matrices {
  int64_t count, rows, columns, next, row, column; // the last three are strides
};

inline void check_ndim(size_t ndim, const char *name) {
  if (ndim != 2 && ndim != 3)
    throw value_error(std::string(name) + " must have 2 or 3 dimensions, not " +
                      std::to_string(ndim));
}

inline Matrices matrices(const Array &array, const char *name) {
  int64_t bytes = static_cast<int64_t>(array.itemsize());
  const int64_t *shape = array.shape_ptr(), *strides = array.stride_ptr();
  size_t d = array.ndim() - 2; // where the matrix begins
  check_ndim(array.ndim(), name);
  int64_t count = d == 0 ? 1 : shape[0];
  return {count,
          shape[d],
          shape[d + 1],
          count == 1 ? 0 : strides[0] * bytes,
          strides[d] * bytes,
          strides[d + 1] * bytes};
}

// Return whether the array touches the bytes from `low` on.
inline bool overlaps(const Array &array, const char *low, size_t size) {
  if (array.size() == 0 || size == 0)
    return false;
  int64_t bytes = static_cast<int64_t>(array.itemsize());
  const char *first = static_cast<const char *>(array.data()), *last = first;
  for (size_t i = 0; i < array.ndim(); i++) {
    int64_t extent = (static_cast<int64_t>(array.shape(i)) - 1) * array.stride(i) * bytes;
    (extent < 0 ? first : last) += extent;
  }
  return first < low + size && low < last + bytes;
}

template <class Some> bool c_contiguous(const Some &array) {
  int64_t gapless = 1; // stride
  for (size_t i = array.ndim(); i-- > 0 && array.size() > 0;) {
    if (array.shape(i) > 1 && array.stride(i) != gapless)
      return false;
    gapless *= static_cast<int64_t>(array.shape(i));
  }
  return true;
}

// A shape as Python writes it.
inline std::string text(const int64_t *shape, size_t ndim) {
  nb::list sizes;
  for (size_t i = 0; i < ndim; i++)
    sizes.append(shape[i]);
  return nb::repr(nb::tuple(sizes)).c_str();
}
