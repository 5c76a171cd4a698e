"""The helpers of the record writer through cffi, API mode: checksums, frames and varints.

Shows:  ffi.from_buffer for memory to read and for memory that C fills; ffi.unpack, which copies
        bytes out of it.
Build:  bindings/cffi/build_library.py, through `python -m cffi.gen_src` and a C compiler.
Bites:  a buffer stays exported until the object that from_buffer returned is gone: `with` releases
        it at once.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ffi_cookbook.bindings._glue.arrays import byte_view, uint32
from ffi_cookbook.bindings._glue.frames import framed_size, join_records
from ffi_cookbook.bindings._glue.integers import check_integers
from ffi_cookbook.bindings.cffi.library import ffi, lib
from ffi_cookbook.bindings.protocol import Buffer, Int64Array

LONGEST_VARINT = 10

# ---- kernels -------------------------------------------------------------------------------


def crc32c(buffer: Buffer, before: int = 0, /) -> int:
    """Return the CRC-32C of a buffer; see ffi_cookbook.bindings.protocol.Backend."""
    before = uint32("before", before)
    with ffi.from_buffer("uint8_t[]", byte_view("buffer", buffer)) as data:
        crc: int = lib.ck_crc32c(data, len(data), before)
    return crc


def frame_records(records: Sequence[bytes], /) -> bytes:
    """Return records framed as TFRecord data; see ffi_cookbook.bindings.protocol.Backend."""
    data, sizes = join_records(records)
    out = np.empty(framed_size(data, sizes), np.uint8)
    with ffi.from_buffer("uint8_t[]", data) as source:
        integers = ffi.from_buffer("int64_t[]", sizes)
        framed = ffi.from_buffer("uint8_t[]", out)
        lib.ck_frame_records(source, len(data), integers, len(sizes), framed)
    return out.tobytes()


def encode_varints(values: Int64Array, /) -> bytes:
    """Return int64 values as varints; see ffi_cookbook.bindings.protocol.Backend."""
    with ffi.from_buffer("int64_t[]", check_integers("values", values)) as data:
        out = np.empty(LONGEST_VARINT * len(data), np.uint8)
        size = lib.ck_encode_varints(data, len(data), ffi.from_buffer("uint8_t[]", out))
    return out[:size].tobytes()
