"""The frame of a TFRecord: a length and its CRC, the data and their CRC."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import repeat
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from bindings.opening import open_door
from bindings.protocol import Buffer, Int64Array

HEADER, FOOTER = 12, 4  # bytes before and behind the data
FRAMING = HEADER + FOOTER
Crc32c: TypeAlias = Callable[[Buffer], int]


def frame(data: Buffer) -> bytes:
    """Return the record around the bytes of a buffer."""
    return frames(open_door(None).crc32c, [bytes(memoryview(data))])


def frames(crc32c: Crc32c, records: Sequence[bytes]) -> bytes:
    """Return the frames of many records, one behind the other."""
    crcs = _mask(np.fromiter(map(crc32c, records), np.int64, len(records))).tobytes()
    parts = [b""] * (3 * len(records))
    parts[0::3] = map(header, repeat(crc32c), map(len, records))
    parts[1::3] = records
    parts[2::3] = [crcs[at : at + FOOTER] for at in range(0, len(crcs), FOOTER)]
    return b"".join(parts)


@lru_cache(8192)
def header(crc32c: Crc32c, size: int) -> bytes:
    """Return the length of a record and its CRC; the records of a file have few different ones."""
    length = size.to_bytes(8, "little")
    return length + footer(crc32c, length)


def footer(crc32c: Crc32c, data: Buffer) -> bytes:
    """Return the CRC behind some data."""
    return _mask(np.array([crc32c(data)])).tobytes()


def _mask(crcs: Int64Array) -> npt.NDArray[np.uint32]:
    """Return CRCs as TFRecord stores them."""
    return (((crcs >> 15) | (crcs << 17)) + 0xA282EAD8).astype("<u4")
