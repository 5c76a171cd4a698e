"""The helpers of the record writer through ctypes: checksums, frames and varints.

Shows:  a result that is an unsigned number; bytes cut from memory that C filled.
Build:  nothing but the shared library.
Bites:  without restype the checksum would be a negative number half of the time.
"""

from __future__ import annotations

from collections.abc import Sequence
from ctypes import c_int, c_size_t, c_uint32, c_void_p

import numpy as np

from ffi_cookbook.bindings._glue.arrays import byte_view, uint32
from ffi_cookbook.bindings._glue.frames import framed_size, join_records
from ffi_cookbook.bindings._glue.integers import check_integers
from ffi_cookbook.bindings.ctypes.library import declare, lib
from ffi_cookbook.bindings.protocol import Buffer, Int64Array

LONGEST_VARINT = 10

# ---- kernels -------------------------------------------------------------------------------

_MEMORY = (c_void_p, c_size_t)
_crc32c = declare(lib, "ck_crc32c", c_uint32, *_MEMORY, c_uint32)
_frame_records = declare(lib, "ck_frame_records", c_int, *_MEMORY, *_MEMORY, c_void_p)
_encode_varints = declare(lib, "ck_encode_varints", c_size_t, *_MEMORY, c_void_p)


def crc32c(buffer: Buffer, before: int = 0, /) -> int:
    """Return the CRC-32C of a buffer; see ffi_cookbook.bindings.protocol.Backend."""
    before = uint32("before", before)
    data = byte_view("buffer", buffer)
    crc: int = _crc32c(data.ctypes.data, data.size, before)
    return crc


def frame_records(records: Sequence[bytes], /) -> bytes:
    """Return records framed as TFRecord data; see ffi_cookbook.bindings.protocol.Backend."""
    data, sizes = join_records(records)
    out = np.empty(framed_size(data, sizes), np.uint8)
    source = np.frombuffer(data, np.uint8)
    _frame_records(source.ctypes.data, len(data), sizes.ctypes.data, sizes.size, out.ctypes.data)
    return out.tobytes()


def encode_varints(values: Int64Array, /) -> bytes:
    """Return int64 values as varints; see ffi_cookbook.bindings.protocol.Backend."""
    borrowed = check_integers("values", values)
    out = np.empty(LONGEST_VARINT * borrowed.size, np.uint8)
    size = _encode_varints(borrowed.ctypes.data, borrowed.size, out.ctypes.data)
    return out[:size].tobytes()
