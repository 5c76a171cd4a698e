"""The frame of a TFRecord: length, length CRC, payload, payload CRC."""

from __future__ import annotations

from collections.abc import Iterable

from ffi_cookbook.bindings.protocol import Buffer
from ffi_cookbook.wire import crc32c, frame_records, header, masked


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
