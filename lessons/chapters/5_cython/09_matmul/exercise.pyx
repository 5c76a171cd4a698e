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

from cython cimport floating  # float or double: the compiler makes a function for each


def matmul(a, b, *, out=None, Py_ssize_t threads=1):
    # TODO
    return out
