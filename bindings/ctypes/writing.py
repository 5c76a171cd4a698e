"""What a writer of records needs, through ctypes: a checksum, and integers as varints.

Shows:  a result that is an unsigned number; bytes cut from memory that C filled.
Build:  nothing but the shared library.
Bites:  without restype the checksum would be a negative number half of the time.
"""

from __future__ import annotations

import numpy as np

from bindings.checks import byte_view
from bindings.ctypes.library import lib
from bindings.integers import check_integers
from bindings.protocol import Buffer, Int64Array

LONGEST_VARINT = 10

# ---- kernels -------------------------------------------------------------------------------


def crc32c(buffer: Buffer, /) -> int:
    """See bindings.protocol.Backend.crc32c."""
    data = byte_view("buffer", buffer)
    crc: int = lib.ck_crc32c(data.ctypes.data, data.size)
    return crc


def encode_varints(values: Int64Array, /) -> bytes:
    """See bindings.protocol.Backend.encode_varints."""
    borrowed = check_integers("values", values)
    out = np.empty(LONGEST_VARINT * borrowed.size, np.uint8)
    size = lib.ck_encode_varints(borrowed.ctypes.data, borrowed.size, out.ctypes.data)
    return out[:size].tobytes()
