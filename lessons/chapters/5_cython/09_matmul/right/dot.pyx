# cython: boundscheck=False, wraparound=False
# Three plain loops over memoryviews with any strides; the fused types choose by the arguments.
import numpy as np
from cython cimport floating


def _multiply(const floating[:, :] a, const floating[:, :] b, floating[:, ::1] out):
    cdef Py_ssize_t i, j, k
    cdef floating total
    if a.shape[1] != b.shape[0]:
        raise ValueError("inner sizes differ")
    with nogil:
        for i in range(a.shape[0]):
            for j in range(b.shape[1]):
                total = 0
                for k in range(a.shape[1]):
                    total += a[i, k] * b[k, j]
                out[i, j] = total


def matmul(a, b, *, out=None, int threads=1):
    if not isinstance(a, np.ndarray) or not isinstance(b, np.ndarray):
        raise TypeError("arrays are needed")
    if a.ndim != 2 or b.ndim != 2:
        raise ValueError("2 dimensions are needed")
    if a.dtype != b.dtype or out is not None and a.dtype != out.dtype:
        raise TypeError("dtypes differ")
    if threads < 1:
        raise ValueError("threads")
    if out is None:
        out = np.empty((a.shape[0], b.shape[1]), a.dtype)
    elif out.shape != (a.shape[0], b.shape[1]):
        raise ValueError("shape of out")
    elif np.may_share_memory(out, a) or np.may_share_memory(out, b):
        raise ValueError("out overlaps")
    _multiply(a, b, out)
    return out
