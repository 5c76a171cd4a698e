# cython: boundscheck=False, wraparound=False, freethreading_compatible=True
import numpy as np

from cython cimport floating


cdef void multiply(const floating[:, :] a, const floating[:, ::1] b,
                   floating[:, ::1] out) noexcept nogil:
    """Write the product, a row of `out` at a time: the inner loop goes along rows of b and out."""
    cdef Py_ssize_t i, j, k
    cdef floating x
    for i in range(a.shape[0]):
        for j in range(out.shape[1]):
            out[i, j] = 0
        for k in range(a.shape[1]):
            x = a[i, k]
            for j in range(out.shape[1]):
                out[i, j] += x * b[k, j]


def _run(const floating[:, :] a, const floating[:, ::1] b, floating[:, ::1] out):
    with nogil:
        multiply(a, b, out)


def matmul(a, b, *, out=None, Py_ssize_t threads=1):
    """Return a @ b."""
    for name, array in (("a", a), ("b", b), ("out", a if out is None else out)):
        if not isinstance(array, np.ndarray):
            raise TypeError(f"{name} must be an array, not {type(array).__name__}")
    if a.ndim != 2 or b.ndim != 2 or a.shape[1] != b.shape[0]:
        raise ValueError(f"cannot multiply shapes {a.shape} and {b.shape}")
    if a.dtype != b.dtype or out is not None and out.dtype != a.dtype:
        raise TypeError("the arrays have different dtypes")
    if threads < 1:
        raise ValueError(f"threads must be at least 1, not {threads}")
    shape = a.shape[0], b.shape[1]
    if out is None:
        out = np.empty(shape, a.dtype)
    elif out.shape != shape or not out.flags.carray:
        raise ValueError(f"out must be C-contiguous and writable, of shape {shape}")
    elif np.may_share_memory(out, a) or np.may_share_memory(out, b):
        raise ValueError("out overlaps an operand")
    _run(a, np.ascontiguousarray(b), out)
    return out
