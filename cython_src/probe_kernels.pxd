"""The smallest work that still proves the arguments arrived."""

from libc.stdint cimport int64_t, uint8_t, uint64_t

ctypedef double (*Callback)(double x, void *context) except? -1


cdef inline void noop_kernel() noexcept nogil:
    pass


cdef inline int64_t add_int_kernel(int64_t a, int64_t b) noexcept nogil:
    return <int64_t>(<uint64_t>a + <uint64_t>b)


cdef inline int64_t sum_bytes(const uint8_t *data, size_t size) noexcept nogil:
    cdef int64_t total = 0
    cdef size_t i
    for i in range(size):
        total += data[i]
    return total


cdef inline double sum_floats(const double *data, size_t size) noexcept nogil:
    cdef double total = 0.0
    cdef size_t i
    for i in range(size):
        total += data[i]
    return total


cdef inline void iota(double *out, size_t size) noexcept nogil:
    cdef size_t i
    for i in range(size):
        out[i] = <double>i


cdef inline double call(Callback function, void *context, double x) except? -1:
    """What `function` raises passes through: a kernel in Cython may carry a Python exception."""
    return function(x, context) + 1.0


cdef inline int64_t fail_with(int64_t code) noexcept nogil:
    return code
