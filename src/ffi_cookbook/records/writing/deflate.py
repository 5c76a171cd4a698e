"""The writing of gzip and zlib streams."""

from __future__ import annotations

import zlib
from typing import Literal, TypeAlias

from ffi_cookbook.records.reading.inflate import WINDOW_BITS
from ffi_cookbook.records.writing.targets import Sink

WriteCompression: TypeAlias = Literal["gzip", "zlib"] | None
"""Capitals are accepted too, and "" for None, as TensorFlow spells them."""


def check_compression(
    compression: WriteCompression, level: int | None
) -> Literal["gzip", "zlib"] | None:
    """Return the compression in lower case, and None for none.

    Raises:
        ValueError: the compression is unknown, the level is not from 0 to 9, or there is a level
            without a compression.
    """
    known: dict[object, Literal["gzip", "zlib"] | None] = {"gzip": "gzip", "zlib": "zlib", "": None}
    if compression is not None and str(compression).lower() not in known:
        raise ValueError(f"compression must be 'gzip', 'zlib' or None, not {compression!r}")
    if level is not None and level not in range(10):
        raise ValueError(f"level must be from 0 to 9, not {level!r}")
    if level is not None and not compression:
        raise ValueError(f"level is {level}, but compression is None")
    return None if compression is None else known[compression.lower()]


class Deflate:
    """A sink that compresses what it writes to another sink."""

    def __init__(self, sink: Sink, compression: Literal["gzip", "zlib"], level: int | None) -> None:
        self._sink = sink
        self._stream = zlib.compressobj(
            -1 if level is None else level, wbits=WINDOW_BITS[compression]
        )
        self.publish, self.discard = sink.publish, sink.discard

    def write(self, *parts: bytes) -> None:
        """Compress and write."""
        self._sink.write(*map(self._stream.compress, parts))

    def close(self) -> None:
        """Write the end of the stream."""
        self._sink.write(self._stream.flush())
        self._sink.close()
