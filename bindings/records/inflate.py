"""gzip and zlib streams, read as what they hold."""

from __future__ import annotations

import zlib
from typing import Any, Literal, TypeAlias

import numpy as np

from bindings.records.crc import masked_crc

Compression: TypeAlias = Literal["infer", "gzip", "zlib"] | None
WINDOW_BITS = {"gzip": 31, "zlib": 15}  # how zlib calls the two formats

_READ_SIZE = 1 << 17


class Inflate:
    """The decompressed bytes of a file; as in gzip, several streams may follow one another.

    A stream that ends too early raises EOFError, a damaged one zlib.error.
    """

    def __init__(self, head: bytes, file: Any, compression: Literal["gzip", "zlib"]) -> None:
        self._compressed, self._file = head, file
        self._window_bits = WINDOW_BITS[compression]
        self._stream: Any = None

    def readinto(self, buffer: memoryview, /) -> int:
        """Writes to the front of the buffer, which is not empty; returns 0 at the end."""
        while True:
            self._compressed = self._compressed or self._file.read(_READ_SIZE)
            at_end = not self._compressed
            if self._stream is None or self._stream.eof:
                if at_end:
                    return 0
                if self._stream is not None:
                    self._compressed = self._compressed.lstrip(b"\0")  # gzip files may be padded
                    if not self._compressed:
                        continue
                self._stream = zlib.decompressobj(self._window_bits)
            data: bytes = self._stream.decompress(self._compressed, len(buffer))
            self._compressed = self._stream.unconsumed_tail or self._stream.unused_data
            if data:
                buffer[: len(data)] = data
                return len(data)
            if at_end and not self._stream.eof:
                raise EOFError("the compressed stream ends too early")


def infer(head: bytes | memoryview, compression: Compression) -> Literal["gzip", "zlib"] | None:
    """What the first bytes say: after 8 bytes and their CRC, for one, follows a plain record."""
    if compression != "infer":
        return compression
    head = bytes(head)
    crc = masked_crc(np.frombuffer(head[:8], np.uint8))
    if crc.to_bytes(4, "little") == head[8:]:
        return None
    if head.startswith(b"\x1f\x8b\x08"):
        return "gzip"
    is_zlib = head[:1] == b"\x78" and int.from_bytes(head[:2], "big") % 31 == 0
    return "zlib" if is_zlib and head[4:8] != bytes(4) else None
