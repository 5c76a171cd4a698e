"""The frame of a TFRecord: length, length CRC, payload, payload CRC."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TypeAlias, TypeVar

import numpy as np

from bindings.opening import open_backend
from bindings.protocol import Buffer, Int64Array

HEADER, FOOTER = 12, 4  # bytes before and behind the payload
FRAMING = HEADER + FOOTER
Crc32c: TypeAlias = Callable[[Buffer], int]
_Crc = TypeVar("_Crc", int, Int64Array)
_SIZES = 8192  # number of sizes whose headers are cached


def frame(data: Buffer) -> bytes:
    """Return the frame of a record whose payload is the bytes of a buffer."""
    return frames(open_backend(None).crc32c, [bytes(memoryview(data))])


def frames(crc32c: Crc32c, records: Sequence[bytes]) -> bytes:
    """Return the frames of many payloads, one after the other."""
    parts = [b""] * (3 * len(records))
    parts[0::3] = map(_headers(crc32c).__getitem__, map(len, records))
    parts[1::3] = records
    crcs = _mask(np.fromiter(map(crc32c, records), np.int64, len(records)))
    parts[2::3] = crcs.astype("<u4").view("V4").tolist()
    return b"".join(parts)


def header(crc32c: Crc32c, size: int) -> bytes:
    """Return the length and the length CRC of a payload of this size."""
    return _headers(crc32c)[size]


def footer(crc32c: Crc32c, data: Buffer) -> bytes:
    """Return the CRC of a payload, as a frame has it."""
    return (_mask(crc32c(data)) & 0xFFFFFFFF).to_bytes(FOOTER, "little")


class _Headers(dict[int, bytes]):
    """A cache of headers by size: the records of a file have few different sizes."""

    def __init__(self, crc32c: Crc32c) -> None:
        super().__init__()
        self._crc32c = crc32c

    def __missing__(self, size: int) -> bytes:
        length = size.to_bytes(8, "little")
        made = length + footer(self._crc32c, length)
        if len(self) < _SIZES:
            self[size] = made
        return made


_headers = lru_cache(_Headers)


def _mask(crc: _Crc) -> _Crc:
    """Return a CRC as TFRecord stores it, in the lower 32 bits."""
    return ((crc >> 15) | (crc << 17)) + 0xA282EAD8
