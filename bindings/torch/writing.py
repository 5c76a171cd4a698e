"""The helpers of the record writer through torch: checksums, frames and varints.

Shows:  an operator that returns a number, and one that returns a tensor of an unknown size.
Build:  bindings/torch/writing.cpp.
Bites:  torch.compile cannot know a number that depends on the data: crc32c has no fake kernel.
"""

from __future__ import annotations

from collections.abc import Sequence

from ffi_cookbook.bindings._glue.arrays import uint32
from ffi_cookbook.bindings._glue.frames import join_records
from ffi_cookbook.bindings._glue.integers import check_integers
from ffi_cookbook.bindings.protocol import Buffer, Int64Array
from ffi_cookbook.bindings.torch.library import borrowed, borrowed_bytes, ops

# ---- kernels -------------------------------------------------------------------------------

_crc32c = ops.crc32c.default
_frame_records = ops.frame_records.default
_encode_varints = ops.encode_varints.default


def crc32c(buffer: Buffer, before: int = 0, /) -> int:
    """Return the CRC-32C of a buffer; see ffi_cookbook.bindings.protocol.Backend."""
    before = uint32("before", before)
    crc: int = _crc32c(borrowed_bytes("buffer", buffer), before)
    return crc


def frame_records(records: Sequence[bytes], /) -> bytes:
    """Return records framed as TFRecord data; see ffi_cookbook.bindings.protocol.Backend."""
    data, sizes = join_records(records)
    framed = _frame_records(borrowed_bytes("records", data), borrowed(sizes))
    return framed.numpy().tobytes()  # type: ignore[no-any-return]


def encode_varints(values: Int64Array, /) -> bytes:
    """Return int64 values as varints; see ffi_cookbook.bindings.protocol.Backend."""
    return _encode_varints(borrowed(check_integers("values", values))).numpy().tobytes()  # type: ignore[no-any-return]
