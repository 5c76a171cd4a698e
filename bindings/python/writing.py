"""The kernels for a writer of records, in Python: checksums, frames, varints."""

from __future__ import annotations

from collections.abc import Sequence

from ffi_cookbook.bindings._glue.arrays import byte_view, uint32
from ffi_cookbook.bindings._glue.frames import frame_each
from ffi_cookbook.bindings._glue.integers import check_integers
from ffi_cookbook.bindings.protocol import Buffer, Int64Array
from ffi_cookbook.bindings.python import framing

# ---- kernels ----------------------------------------------------------------------------------


def crc32c(buffer: Buffer, before: int = 0, /) -> int:
    """Return the CRC-32C of a buffer; see ffi_cookbook.bindings.protocol.Backend."""
    before = uint32("before", before)
    return framing.crc32c(byte_view("buffer", buffer).data, before)


def frame_records(records: Sequence[bytes], /) -> bytes:
    """Return records framed as TFRecord data; see ffi_cookbook.bindings.protocol.Backend."""
    return frame_each(records, framing.masked_crc)


def encode_varints(values: Int64Array, /) -> bytes:
    """Return int64 values as varints; see ffi_cookbook.bindings.protocol.Backend."""
    out = bytearray()
    for value in check_integers("values", values).tolist():
        rest = value & (1 << 64) - 1  # two's complement
        while rest >= 0x80:
            out.append(rest & 0x7F | 0x80)
            rest >>= 7
        out.append(rest)
    return bytes(out)
