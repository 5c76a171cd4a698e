"""Write dot(a, b): the sum of the products of two vectors of float64.

    >>> exercise.dot(np.array([1.0, 2.0, 3.0]), np.array([10.0, 20.0, 30.0]))
    140.0

Each argument is any 1-D array of float64: it may have strides, such as `matrix[:, 0]` or
`vector[::-1]`, and it may be read-only. Two empty vectors give 0.0. Vectors of different sizes
raise ValueError, and so does an array of another dtype or number of dimensions. The call copies
nothing, and makes no Python object for each item.
"""


#: def dot(a, b):
#:     # TODO: typed memoryviews, and a loop over their items
#:     return 0.0
# BEGIN SOLUTION
def dot(const double[:] a not None, const double[:] b not None):
    cdef double total = 0
    cdef Py_ssize_t i, n = a.shape[0]
    if b.shape[0] != n:
        raise ValueError(f"b must have {n} items, not {b.shape[0]}")
    for i in range(n):
        total += a[i] * b[i]
    return total
# END SOLUTION
