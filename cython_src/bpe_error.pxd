"""The kind and the place of a failure."""

from libc.stdint cimport int64_t

cdef struct Error:
    int64_t code, offset, record, field, expected, actual


cdef inline int fail(Error *error, int code, int64_t offset=0, int64_t record=0, int64_t field=-1,
                     int64_t expected=0, int64_t actual=0) noexcept nogil:
    error[0] = Error(code, offset, record, field, expected, actual)
    return code
