def dot(const double[:] a not None, const double[:] b not None):
    cdef double total = 0
    cdef Py_ssize_t i, n = a.shape[0]
    if b.shape[0] != n:
        raise ValueError(f"b must have {n} items, not {b.shape[0]}")
    for i in range(n):
        total += a[i] * b[i]
    return total
