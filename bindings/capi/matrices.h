/* matrices.h: NumPy arrays as matrices: what the kernel is told of them, and whether one touches some
 * memory. To be included after numpy/arrayobject.h. */
#ifndef COOKBOOK_CAPI_MATRICES_H
#define COOKBOOK_CAPI_MATRICES_H

/* An array as the kernel sees it: a batch of matrices, of one where there are two dimensions. */
typedef struct {
  void *data;
  npy_intp count, rows, columns, next, row, column; /* the last three are strides */
} Matrices;

static inline Matrices matrices(PyArrayObject *array) {
  const npy_intp *shape = PyArray_DIMS(array), *strides = PyArray_STRIDES(array);
  int d = PyArray_NDIM(array) - 2; /* where the matrix begins */
  npy_intp count = d == 0 ? 1 : shape[0];
  return (Matrices){PyArray_DATA(array),         count,      shape[d],      shape[d + 1],
                    count == 1 ? 0 : strides[0], strides[d], strides[d + 1]};
}

/* Whether the memory between an array's first and last element meets that from low to high. */
static inline int may_overlap(PyArrayObject *array, const char *low, const char *high) {
  const char *first = PyArray_BYTES(array), *last = first;
  for (int i = 0; i < PyArray_NDIM(array); i++) {
    npy_intp extent = (PyArray_DIM(array, i) - 1) * PyArray_STRIDE(array, i);
    if (PyArray_DIM(array, i) == 0)
      return 0;
    *(extent < 0 ? &first : &last) += extent;
  }
  return low < high && first < high && low < last + PyArray_ITEMSIZE(array);
}

#endif
