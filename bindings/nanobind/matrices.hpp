// Arrays as matrices: what the kernel is told of them, and whether one touches some memory.
#pragma once

#include "common.hpp"

template <class T> using Array = nb::ndarray<const T, nb::device::cpu>;

// An array as the kernel sees it: a batch of matrices, of one where there are two dimensions.
struct Matrices {
  int64_t count, rows, columns, next, row, column; // the last three are strides
};

template <class T> Matrices matrices(const Array<T> &array, const char *name) {
  constexpr int64_t bytes = sizeof(T);
  const int64_t *shape = array.shape_ptr(), *strides = array.stride_ptr();
  size_t d = array.ndim() - 2; // where the matrix begins
  if (array.ndim() != 2 && array.ndim() != 3)
    throw value_error(std::string(name) + " must have 2 or 3 dimensions, not " +
                      std::to_string(array.ndim()));
  int64_t count = d == 0 ? 1 : shape[0];
  return {count,
          shape[d],
          shape[d + 1],
          count == 1 ? 0 : strides[0] * bytes,
          strides[d] * bytes,
          strides[d + 1] * bytes};
}

// Does the array touch the n items from `low` on?
template <class T> bool overlaps(const Array<T> &array, const T *low, size_t n) {
  if (array.size() == 0 || n == 0)
    return false;
  const T *first = array.data(), *last = first;
  for (size_t i = 0; i < array.ndim(); i++) {
    int64_t extent = (static_cast<int64_t>(array.shape(i)) - 1) * array.stride(i);
    (extent < 0 ? first : last) += extent;
  }
  return first < low + n && low <= last;
}

// A shape as Python writes it.
inline std::string text(const int64_t *shape, size_t ndim) {
  nb::list sizes;
  for (size_t i = 0; i < ndim; i++)
    sizes.append(shape[i]);
  return nb::repr(nb::tuple(sizes)).c_str();
}
