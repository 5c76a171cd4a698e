"""The frame of a TFRecord: a length and its CRC, the data and their CRC."""

from __future__ import annotations

import struct
from collections.abc import Callable
from functools import lru_cache
from typing import TypeAlias

from bindings.opening import open_door
from bindings.protocol import Buffer

HEADER, FOOTER = 12, 4  # bytes before and behind the data
FRAMING = HEADER + FOOTER
Crc32c: TypeAlias = Callable[[Buffer], int]

_LENGTH, _CRC = struct.Struct("<Q"), struct.Struct("<I")


def frame(data: Buffer) -> bytes:
    """Return the record around the bytes of a buffer."""
    crc32c, data = open_door(None).crc32c, bytes(memoryview(data))
    return b"".join((header(crc32c, len(data)), data, masked(crc32c, data)))


@lru_cache(8192)
def header(crc32c: Crc32c, size: int) -> bytes:
    """Return the length of a record and its CRC; the records of a file have few different ones."""
    length = _LENGTH.pack(size)
    return length + masked(crc32c, length)


def masked(crc32c: Crc32c, data: Buffer) -> bytes:
    """Return the CRC as TFRecord stores it."""
    crc = crc32c(data)
    return _CRC.pack(((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF)
