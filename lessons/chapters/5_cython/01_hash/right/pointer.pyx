# A C function over a pointer; len() before the pointer refuses None.
from libc.stdint cimport uint64_t


cdef uint64_t hashed(const unsigned char *data, Py_ssize_t n) noexcept nogil:
    cdef uint64_t code = 0xCBF29CE484222325
    cdef Py_ssize_t i
    for i in range(n):
        code = (code ^ data[i]) * <uint64_t>0x100000001B3
    return code


def fnv1a(bytes data):
    cdef Py_ssize_t n = len(data)
    return hashed(data, n)
