"""The kernels for a writer of records, with NumPy: a checksum, and integers as varints."""

from __future__ import annotations

import numpy as np

from bindings.checks import byte_view
from bindings.integers import check_integers
from bindings.protocol import Buffer, Int64Array
from bindings.records import crc

_SHIFTS = np.arange(0, 70, 7, dtype=np.uint64)  # for the ten bytes of the longest varint

# ---- kernels ----------------------------------------------------------------------------------


def crc32c(buffer: Buffer, /) -> int:
    """See bindings.protocol.Backend.crc32c."""
    return crc.crc32c(byte_view("buffer", buffer))


def encode_varints(values: Int64Array, /) -> bytes:
    """See bindings.protocol.Backend.encode_varints."""
    unsigned = check_integers("values", values).view(np.uint64)
    rest = unsigned[:, np.newaxis] >> _SHIFTS  # shifted to each group of seven bits
    groups = (rest & np.uint64(0x7F)).astype(np.uint8)
    groups[:, :-1] |= (rest[:, 1:] != 0).astype(np.uint8) << 7  # another one follows
    used = rest != 0
    used[:, 0] = True
    return groups[used].tobytes()
