"""The smallest work that proves that the arguments arrived."""

from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.string cimport strlen


cdef inline void noop() noexcept nogil:
    pass


# ---- scalars -------------------------------------------------------------------------------------


cdef inline void take_int(int64_t a) noexcept nogil:
    pass


cdef inline int64_t give_int() noexcept nogil:
    return 42


cdef inline bint invert(bint flag) noexcept nogil:
    return not flag


cdef inline int64_t add_int(int64_t a, int64_t b) noexcept nogil:
    return <int64_t>(<uint64_t>a + <uint64_t>b)


cdef inline double add_float(double a, double b) noexcept nogil:
    return a + b


cdef inline double six_scalars(int64_t a, double b, int64_t c, double d, int64_t e,
                               double f) noexcept nogil:
    return <double>a + b + <double>c + d + <double>e + f


cdef inline double keywords(double x, double scale, double offset) noexcept nogil:
    return x * scale + offset


cdef inline (int64_t, int64_t) order(int64_t a, int64_t b) noexcept nogil:
    return (a, b) if a < b else (b, a)


# ---- text and bytes ------------------------------------------------------------------------------


cdef inline int64_t sum_bytes(const uint8_t *data, size_t size) noexcept nogil:
    cdef int64_t total = 0
    cdef size_t i
    for i in range(size):
        total += data[i]
    return total


cdef inline const char *text(size_t *size) noexcept nogil:
    cdef const char *chars = b"hello world"
    size[0] = strlen(chars)
    return chars


cdef inline double weigh(const uint8_t *key, size_t size, double value) noexcept nogil:
    return <double>sum_bytes(key, size) * value


cdef inline void inverted(const uint8_t *data, size_t size, uint8_t *out) noexcept nogil:
    cdef size_t i
    for i in range(size):
        out[i] = data[i] ^ 0xFF


# ---- arrays --------------------------------------------------------------------------------------


cdef inline double sum_floats(const double *data, size_t size) noexcept nogil:
    cdef double total = 0.0
    cdef size_t i
    for i in range(size):
        total += data[i]
    return total


cdef inline double sum_strided(const double *data, size_t size, Py_ssize_t stride) noexcept nogil:
    """Sum doubles that lie `stride` bytes apart. It is a multiple of 8, and may be negative."""
    cdef double total = 0.0
    cdef size_t i
    for i in range(size):
        total += (<const double *>(<const char *>data + <Py_ssize_t>i * stride))[0]
    return total


cdef inline void iota(double *out, size_t size) noexcept nogil:
    cdef size_t i
    for i in range(size):
        out[i] = <double>i


cdef inline void scale(double *data, size_t size, double factor) noexcept nogil:
    cdef size_t i
    for i in range(size):
        data[i] *= factor


cdef inline void doubled(const double *data, size_t size, double *out) noexcept nogil:
    cdef size_t i
    for i in range(size):
        out[i] = data[i] * 2.0


# ---- mixed ---------------------------------------------------------------------------------------


cdef inline int64_t add_three(int64_t a, int64_t b, int64_t c) noexcept nogil:
    return add_int(add_int(a, b), c)


cdef inline double score(const uint8_t *text, size_t size, int64_t n, double x) noexcept nogil:
    return <double>sum_bytes(text, size) + <double>n + x


cdef inline void stamp(const uint8_t *data, size_t size, uint8_t mark,
                       uint8_t *out) noexcept nogil:
    cdef size_t i
    for i in range(size):
        out[i] = data[i] ^ mark


cdef inline void scaled(const double *data, size_t size, double factor,
                        double *out) noexcept nogil:
    cdef size_t i
    for i in range(size):
        out[i] = data[i] * factor


cdef inline void shifted(const double *data, size_t size, int64_t n, const uint8_t *text,
                         size_t text_size, double *out) noexcept nogil:
    cdef double shift = <double>n + <double>sum_bytes(text, text_size)
    cdef size_t i
    for i in range(size):
        out[i] = data[i] + shift
