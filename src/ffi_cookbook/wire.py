"""Checksums, frames and varints for a writer of records: by the C library or, without it, NumPy."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from types import ModuleType

import numpy as np

from ffi_cookbook.bindings._glue import crc
from ffi_cookbook.bindings._glue.search import FOOTER, HEADER, mask_crc
from ffi_cookbook.bindings.protocol import Buffer

FRAMING = HEADER + FOOTER  # bytes before and after the data of a record
_SHIFTS = np.arange(0, 70, 7, dtype=np.uint64)  # for the ten bytes of the longest varint


@cache
def _library() -> ModuleType | None:
    """Return the functions of the C library, by Cython, or None if they are not built."""
    try:
        from ffi_cookbook.bindings.cython import writing
    except ImportError:
        return None
    return writing


def crc32c(buffer: Buffer, before: int = 0) -> int:
    """Return the CRC-32C (Castagnoli) of the bytes of a buffer, not masked.

    It is 0xE3069283 for b"123456789". `before` is the CRC of the bytes before the buffer: the
    result is then the CRC of all of them.
    """
    return (_library() or crc).crc32c(buffer, before)  # type: ignore[no-any-return]


def frame_records(records: Sequence[bytes]) -> bytes:
    """Return the TFRecord frames of many payloads, one after the other."""
    if library := _library():
        return library.frame_records(records)  # type: ignore[no-any-return]
    return b"".join(part for record in records for part in frame_parts([record], len(record)))


@lru_cache(8192)
def header(size: int) -> bytes:
    """Return a length and its CRC. The records of a file have few different sizes."""
    length = size.to_bytes(8, "little")
    return length + masked(crc32c(length))


def is_header(data: bytes) -> bool:
    """Return True if these bytes are a length and its CRC."""
    return len(data) == HEADER and header(int.from_bytes(data[:8], "little")) == data


def masked(crc: int) -> bytes:
    """Return a CRC as a frame has it."""
    return mask_crc(crc).to_bytes(4, "little")


def encode_varints(integers: bytes) -> bytes:
    """Return the varints of native int64s, which are given as bytes, as protobuf packs them.

    A negative integer takes ten bytes, because it is encoded as a two's complement of 64 bits.
    """
    if library := _library():
        return library.encode_varints(integers)  # type: ignore[no-any-return]
    values = np.frombuffer(integers, np.uint64)
    rest = values[:, np.newaxis] >> _SHIFTS  # shifted to each group of seven bits
    groups = (rest & np.uint64(0x7F)).astype(np.uint8)
    groups[:, :-1] |= (rest[:, 1:] != 0).astype(np.uint8) << 7  # another one follows
    used = rest != 0
    used[:, 0] = True
    return groups[used].tobytes()  # type: ignore[no-any-return]


def frame(data: Buffer) -> bytes:
    """Return the frame of a record whose payload is the bytes of a buffer."""
    return frame_records([bytes(memoryview(data))])


def frame_parts(parts: Iterable[bytes], size: int) -> list[bytes]:
    """Return the parts of a frame, whose payload consists of these parts, `size` bytes in all."""
    crc, framed = 0, [header(size)]
    for part in parts:
        crc = crc32c(part, crc)
        framed.append(part)
    framed.append(masked(crc))
    return framed
