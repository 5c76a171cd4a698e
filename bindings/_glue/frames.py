"""The frame of a TFRecord, for the bindings that are written in Python.

u64 size | u32 masked CRC of these eight bytes | data | u32 masked CRC of the data
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ffi_cookbook.bindings.protocol import Buffer, Int64Array

FRAMING = 16  # bytes before and after the data


def records_of(records: Any) -> list[bytes]:
    """Return the items of a list or tuple of bytes; instances of a subclass become plain bytes.

    Raises: TypeError: it is neither, or holds something else.
    """
    items = list(records) if issubclass(type(records), (list, tuple)) else None
    if items is None or not all(issubclass(type(item), bytes) for item in items):
        wrong = [type(item) for item in items or [] if not issubclass(type(item), bytes)]
        kind = (wrong or [type(records)])[0].__name__
        raise TypeError(f"records must be a list or tuple of bytes, not {kind}")
    return [x if type(x) is bytes else bytes.__getitem__(x, slice(None)) for x in items]


def join_records(records: Any) -> tuple[bytes, Int64Array]:
    """Return the records end to end, and the size of each."""
    items = records_of(records)
    return b"".join(items), np.fromiter(map(len, items), np.int64, len(items))


def framed_size(data: bytes, sizes: Int64Array) -> int:
    """Return the number of bytes of the frames of these records."""
    return len(data) + FRAMING * len(sizes)


def frame_each(records: Any, masked_crc: Callable[[Buffer], int]) -> bytes:
    """Return the frames of a list or tuple of bytes, one after the other."""
    parts: list[bytes] = []
    for record in records_of(records):
        size = len(record).to_bytes(8, "little")
        parts += size, masked_crc(size).to_bytes(4, "little")
        parts += record, masked_crc(record).to_bytes(4, "little")
    return b"".join(parts)
