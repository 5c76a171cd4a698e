"""Give fnv1a(data) C types: the hash FNV-1a of bytes, as an unsigned integer of 64 bits.

    >>> exercise.fnv1a(b"a")
    12638187200555641996

The function below is plain Python and correct, but it makes several Python objects for each byte.
Yours makes none. Its argument is bytes; a str or None raises TypeError. With an unsigned 64-bit
C type you need no code for the remainder.
"""


#: def fnv1a(data):
#:     # TODO: types for the argument and for the variables
#:     code = 0xCBF29CE484222325
# BEGIN SOLUTION
from libc.stdint cimport uint8_t, uint64_t


def fnv1a(bytes data not None):
    cdef uint64_t code = 0xCBF29CE484222325, prime = 0x100000001B3
    cdef uint8_t byte
# END SOLUTION
    for byte in data:
        #: code = ((code ^ byte) * 0x100000001B3) % 2**64
        # BEGIN SOLUTION
        code = (code ^ byte) * prime
        # END SOLUTION
    return code
