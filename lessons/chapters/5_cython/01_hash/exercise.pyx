"""Give fnv1a(data) C types: the hash FNV-1a of bytes, as an unsigned integer of 64 bits.

    >>> exercise.fnv1a(b"a")
    12638187200555641996

The function below is plain Python and correct, but it makes several Python objects for each byte.
Yours makes none. Its argument is bytes; a str or None raises TypeError. With an unsigned 64-bit
C type you need no code for the remainder.
"""


def fnv1a(data):
    # TODO: types for the argument and for the variables
    code = 0xCBF29CE484222325
    for byte in data:
        code = ((code ^ byte) * 0x100000001B3) % 2**64
    return code
