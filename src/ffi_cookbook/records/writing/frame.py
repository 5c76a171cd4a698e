"""The frame of a TFRecord: length, length CRC, payload, payload CRC."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from ffi_cookbook.bindings._glue.search import mask_crc
from ffi_cookbook.bindings.protocol import Buffer
from ffi_cookbook.wire import crc32c, frame_records


def frame(data: Buffer) -> bytes:
    """Return the frame of a record whose payload is the bytes of a buffer."""
    return frame_records([bytes(memoryview(data))])


def frame_parts(parts: Iterable[bytes], size: int) -> list[bytes]:
    """Return the parts of a frame, whose payload consists of these parts, `size` bytes in all."""
    crc, framed = 0, [_header(size)]
    for part in parts:
        crc = crc32c(part, crc)
        framed.append(part)
    framed.append(_masked(crc))
    return framed


@lru_cache(8192)
def _header(size: int) -> bytes:
    """Return a length and its CRC. The records of a file have few different sizes."""
    length = size.to_bytes(8, "little")
    return length + _masked(crc32c(length))


def _masked(crc: int) -> bytes:
    return mask_crc(crc).to_bytes(4, "little")
