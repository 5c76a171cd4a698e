"""The smallest work on state that the caller owns, and the smallest that calls back or fails."""

from libc.stdint cimport int64_t, uint64_t

from pattern_kernels cimport add_int


# ---- structs and objects -------------------------------------------------------------------------


ctypedef struct Point:
    double x, y


ctypedef struct Counter:
    int64_t value


cdef inline double point_sum(Point point) noexcept nogil:
    return point.x + point.y


cdef inline Point make_point(double x, double y) noexcept nogil:
    return Point(x, y)


cdef inline void counter_start(Counter *counter, int64_t value) noexcept nogil:
    counter.value = value


cdef inline int64_t counter_add(Counter *counter, int64_t n) noexcept nogil:
    counter.value = add_int(counter.value, n)
    return counter.value


cdef inline bint counter_next(Counter *counter, int64_t *item) noexcept nogil:
    """Count down: if value > 0, store value - 1 there and in *item, and return True; else return
    False."""
    if counter.value <= 0:
        return False
    counter.value -= 1
    item[0] = counter.value
    return True


# ---- calls ---------------------------------------------------------------------------------------


ctypedef double (*Callback)(double x, void *context) except? -1


ctypedef struct Failure:
    int code
    int64_t offset


cdef inline double call(Callback function, void *context, double x) except? -1:
    """Call `function`. An exception that it raises passes through: a kernel in Cython may carry a
    Python exception."""
    return function(x, context) + 1.0


cdef inline int fail(int code) noexcept nogil:
    return code


cdef inline int fail_at(int code, int64_t offset, Failure *failure) noexcept nogil:
    failure[0] = Failure(code, offset)
    return code


cdef inline uint64_t work(uint64_t state, uint64_t rounds) noexcept nogil:
    """Take `rounds` steps of xorshift64. The work can be interrupted after any step and continued.
    """
    while rounds > 0:
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        rounds -= 1
    return state
