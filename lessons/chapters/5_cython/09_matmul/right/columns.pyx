# cython: boundscheck=False, wraparound=False
# The kernel takes pointers; b is transposed first, so that both operands are read along memory.
import numpy as np

from cython cimport floating


cdef void kernel(const floating *a, const floating *b, floating *out, Py_ssize_t m, Py_ssize_t n,
                 Py_ssize_t depth) noexcept nogil:
    cdef Py_ssize_t i, j, k
    cdef floating total
    for i in range(m):
        for j in range(n):
            total = 0
            for k in range(depth):
                total += a[i * depth + k] * b[j * depth + k]
            out[i * n + j] = total


def _float(const float[:, ::1] a, const float[:, ::1] b, float[:, ::1] out):
    with nogil:
        kernel(&a[0, 0], &b[0, 0], &out[0, 0], a.shape[0], b.shape[0], a.shape[1])


def _double(const double[:, ::1] a, const double[:, ::1] b, double[:, ::1] out):
    with nogil:
        kernel(&a[0, 0], &b[0, 0], &out[0, 0], a.shape[0], b.shape[0], a.shape[1])


KERNELS = {np.dtype("f4"): _float, np.dtype("f8"): _double}


def matmul(a, b, *, out=None, threads=1):
    if not (isinstance(a, np.ndarray) and isinstance(b, np.ndarray)):
        raise TypeError("a and b must be arrays")
    if a.ndim != 2 or b.ndim != 2 or a.shape[1] != b.shape[0]:
        raise ValueError("inner sizes")
    if a.dtype != b.dtype or a.dtype not in KERNELS:
        raise TypeError("a and b must both be float32 or both be float64")
    if threads < 1:
        raise ValueError("threads must be at least 1")
    if out is None:
        out = np.empty((a.shape[0], b.shape[1]), a.dtype)
    elif out.dtype != a.dtype:
        raise TypeError("out has another dtype")
    elif out.shape != (a.shape[0], b.shape[1]) or not (out.flags.c_contiguous
                                                       and out.flags.writeable):
        raise ValueError("out")
    elif np.shares_memory(out, a) or np.shares_memory(out, b):
        raise ValueError("out overlaps")
    KERNELS[a.dtype](np.ascontiguousarray(a), np.ascontiguousarray(b.T), out)
    return out
