# cython: boundscheck=False, wraparound=False
# The sizes are compared once, so the loop needs no test of its own.
from cython cimport floating


cdef double product(const floating[:] a, const floating[:] b) noexcept nogil:
    cdef double total = 0
    cdef Py_ssize_t i
    for i in range(a.shape[0]):
        total += a[i] * b[i]
    return total


def dot(const double[:] a not None, const double[:] b not None):
    if a.shape[0] != b.shape[0]:
        raise ValueError("a and b must have the same size")
    with nogil:
        total = product(a, b)
    return total
