# cython: boundscheck=False, wraparound=False
# Blocks of rows of b that stay in the cache, with any strides of both operands.
import numpy as np

from cython cimport floating


cdef int fill(const floating[:, :] a, const floating[:, :] b, floating[:, ::1] out) except -1:
    cdef Py_ssize_t i, j, k, start, end
    cdef floating x
    with nogil:
        for i in range(out.shape[0]):
            for j in range(out.shape[1]):
                out[i, j] = 0
        for start in range(0, a.shape[1], 64):
            end = min(start + 64, a.shape[1])
            for i in range(out.shape[0]):
                for k in range(start, end):
                    x = a[i, k]
                    for j in range(out.shape[1]):
                        out[i, j] += x * b[k, j]
    return 0


def matmul(a, b, *, out=None, Py_ssize_t threads=1):
    types = {array.dtype for array in (a, b, out) if array is not None} if (
        hasattr(a, "dtype") and hasattr(b, "dtype")) else {None}
    if types not in ({np.dtype(np.float32)}, {np.dtype(np.float64)}):
        raise TypeError("float32 or float64 arrays of one dtype are needed")
    if a.ndim != 2 or b.ndim != 2 or a.shape[1] != b.shape[0]:
        raise ValueError("the shapes do not fit")
    if threads < 1:
        raise ValueError("threads must be at least 1")
    shape = (a.shape[0], b.shape[1])
    if out is None:
        out = np.zeros(shape, a.dtype)
    if out.shape != shape or np.may_share_memory(out, a) or np.may_share_memory(out, b):
        raise ValueError("out has another shape, or overlaps")
    if a.dtype == np.float32:
        fill[float](a, b, out)
    else:
        fill[double](a, b, out)
    return out
