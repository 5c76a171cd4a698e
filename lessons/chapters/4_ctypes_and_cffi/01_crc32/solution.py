"""Write crc32(data, before=0): the CRC-32 of bytes, computed by C.

libcrc32.so lies beside this file. It is built from crc32.c, and its function is

    uint32_t crc32(const uint8_t *data, size_t size, uint32_t before);

where `before` is the CRC of the bytes that come before the data.

    >>> exercise.crc32(b"123456789")
    3421780262
    >>> exercise.crc32(b"6789", before=exercise.crc32(b"12345"))
    3421780262

Anything but bytes, such as a str, must be refused with an exception.
"""

import ctypes
from pathlib import Path

lib = ctypes.CDLL(str(Path(__file__).with_name("libcrc32.so")))
#:
#: # TODO: say what the function takes and what it returns; without that, this prints -873187034.
# BEGIN SOLUTION
lib.crc32.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_uint32]
lib.crc32.restype = ctypes.c_uint32
# END SOLUTION


def crc32(data, before=0):
    """Return the CRC-32 of bytes that follow others with the CRC `before`."""
    return lib.crc32(data, len(data), before)
