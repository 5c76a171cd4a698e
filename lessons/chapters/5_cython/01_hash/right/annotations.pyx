# In Python's own syntax: annotations and the module `cython`. An annotation refuses None.
import cython


def fnv1a(data: bytes) -> object:
    code: cython.ulonglong = 0xCBF29CE484222325
    prime: cython.ulonglong = 0x100000001B3
    byte: cython.uchar
    for byte in data:
        code = (code ^ byte) * prime
    return code
