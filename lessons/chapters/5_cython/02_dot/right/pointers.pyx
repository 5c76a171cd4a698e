# Addresses from the strides, as C code would do it.
cdef inline double item(const double[:] values, Py_ssize_t i) noexcept nogil:
    return (<const double *>(<const char *>&values[0] + i * values.strides[0]))[0]


def dot(const double[:] a, const double[:] b):
    if len(a) != len(b):
        raise ValueError("a and b must have the same size")
    cdef double total = 0
    cdef Py_ssize_t i
    for i in range(a.shape[0]):
        total += item(a, i) * item(b, i)
    return total
