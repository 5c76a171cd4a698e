# BEGIN SOLUTION
# cython: boundscheck=False, wraparound=False, freethreading_compatible=True
# END SOLUTION
"""Bind a kernel of your own: matmul(a, b, *, out=None, threads=1), the product of two matrices.

    >>> exercise.matmul(np.array([[1.0, 2.0]]), np.array([[3.0], [4.0]]))
    array([[11.]])

Names and meaning are those of the project's own bindings, for two dimensions. `a` (M,K) and `b`
(K,N) are arrays of float32, or both of float64, with any strides; they may be read-only, and M, N
or K may be 0. The result is a new C-contiguous array of that dtype, or `out`, filled and returned.
`threads` is an upper bound, and 1 thread is enough. The GIL is released around the kernel.

- TypeError: an argument is not an array, or the dtypes differ from each other.
- ValueError: a or b does not have 2 dimensions; the inner sizes differ; threads is below 1; out has
  another shape, is not C-contiguous, is read-only, or may overlap an operand.
"""

import numpy as np

#: from cython cimport floating  # float or double: the compiler makes a function for each
# BEGIN SOLUTION
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
# END SOLUTION


def matmul(a, b, *, out=None, Py_ssize_t threads=1):
    #: # TODO
    # BEGIN SOLUTION
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
    # END SOLUTION
    return out
