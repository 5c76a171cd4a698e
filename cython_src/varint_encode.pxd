"""Encoding of integers as protobuf's varints: seven bits a byte, the lowest first. Bit 7 of a byte
says that another one follows.

    300 = 10 0101100  ->  1|0101100  0|0000010
"""

from libc.stdint cimport int64_t, uint8_t, uint64_t


cdef inline size_t encode_varints_kernel(const int64_t *values, size_t n,
                                         uint8_t *out) noexcept nogil:
    """Fill `out`, which has room for 10 * n bytes, and return the number of bytes written."""
    cdef uint8_t *at = out
    cdef uint64_t value
    cdef size_t i
    for i in range(n):
        value = <uint64_t>values[i]
        while value >= 0x80:
            at[0] = <uint8_t>(value | 0x80)
            at += 1
            value >>= 7
        at[0] = <uint8_t>value
        at += 1
    return at - out
