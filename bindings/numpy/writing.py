"""The kernels for a writer of records, with NumPy: checksums, frames, varints."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ffi_cookbook.bindings._glue import crc
from ffi_cookbook.bindings._glue.arrays import byte_view, uint32
from ffi_cookbook.bindings._glue.frames import frame_each
from ffi_cookbook.bindings._glue.integers import check_integers
from ffi_cookbook.bindings.protocol import Buffer, Int64Array

_SHIFTS = np.arange(0, 70, 7, dtype=np.uint64)  # for the ten bytes of the longest varint

# ---- kernels ----------------------------------------------------------------------------------


def crc32c(buffer: Buffer, before: int = 0, /) -> int:
    """Return the CRC-32C of a buffer; see ffi_cookbook.bindings.protocol.Backend."""
    before = uint32("before", before)
    return crc.crc32c(byte_view("buffer", buffer), before)


def frame_records(records: Sequence[bytes], /) -> bytes:
    """Return records framed as TFRecord data; see ffi_cookbook.bindings.protocol.Backend."""
    return frame_each(records, crc.masked_crc)


def encode_varints(values: Int64Array, /) -> bytes:
    """Return int64 values as varints; see ffi_cookbook.bindings.protocol.Backend."""
    unsigned = check_integers("values", values).view(np.uint64)
    rest = unsigned[:, np.newaxis] >> _SHIFTS  # shifted to each group of seven bits
    groups = (rest & np.uint64(0x7F)).astype(np.uint8)
    groups[:, :-1] |= (rest[:, 1:] != 0).astype(np.uint8) << 7  # another one follows
    used = rest != 0
    used[:, 0] = True
    return groups[used].tobytes()
