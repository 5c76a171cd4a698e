from libc.stdint cimport uint8_t, uint64_t


def fnv1a(bytes data not None):
    cdef uint64_t code = 0xCBF29CE484222325, prime = 0x100000001B3
    cdef uint8_t byte
    for byte in data:
        code = (code ^ byte) * prime
    return code
