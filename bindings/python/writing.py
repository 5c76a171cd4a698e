"""The kernels for a writer of records, in Python: a checksum, and integers as varints."""

from __future__ import annotations

from bindings.checks import byte_view
from bindings.integers import check_integers
from bindings.protocol import Buffer, Int64Array
from bindings.python import framing

# ---- kernels ----------------------------------------------------------------------------------


def crc32c(buffer: Buffer, /) -> int:
    """See bindings.protocol.Backend.crc32c."""
    return framing.crc32c(byte_view("buffer", buffer).data)


def encode_varints(values: Int64Array, /) -> bytes:
    """See bindings.protocol.Backend.encode_varints."""
    out = bytearray()
    for value in check_integers("values", values).tolist():
        rest = value & (1 << 64) - 1  # two's complement
        while rest >= 0x80:
            out.append(rest & 0x7F | 0x80)
            rest >>= 7
        out.append(rest)
    return bytes(out)
