"""The targets of a writer: a path or a file object, to which streams of gzip and zlib go too."""

from __future__ import annotations

import os
import zlib
from io import RawIOBase, TextIOBase
from typing import Any, Literal, TypeAlias

from ffi_cookbook.files import NewFile
from ffi_cookbook.records.reading.file_objects import checked_count
from ffi_cookbook.records.reading.inflate import WINDOW_BITS, checked

Target: TypeAlias = Any
"""A path (str or os.PathLike), or a binary file object (`write`), which stays open."""

WriteCompression: TypeAlias = Literal["gzip", "zlib"] | None
"""Capitals are accepted too, and "" for None, as TensorFlow spells them."""

Sink: TypeAlias = "NewFile | _Borrowed | _Deflate"
"""Parts are written one after the other, then published by `close`, or discarded if possible."""


def open_target(target: Target, compression: WriteCompression, level: int | None) -> Sink:
    """Open a file for writing.

    Raises:
        TypeError: `target` is neither a path nor a binary file object.
        ValueError: it is a URL; the compression is unknown; the level is not from 0 to 9, or there
            is a level without a compression.
        OSError: the file cannot be made.
    """
    kind = checked(compression)
    if level is not None and level not in range(10):
        raise ValueError(f"level must be from 0 to 9, not {level!r}")
    if level is not None and not kind:
        raise ValueError(f"level is {level}, but compression is None")
    if isinstance(target, str) and "://" in target:
        raise ValueError(
            f'target must not be a URL: pass the file that fsspec.open("{target}", "wb") opens'
        )
    sink: Sink
    if isinstance(target, str | os.PathLike):
        sink = NewFile(target)
    elif hasattr(target, "write") and not isinstance(target, TextIOBase):
        sink = _Borrowed(target)
    else:
        found = type(target).__name__
        raise TypeError(f"target must be a path or a binary file object, not {found}")
    return _Deflate(sink, WINDOW_BITS[kind], level) if kind else sink


class _Borrowed:
    """A file object that the caller owns."""

    def __init__(self, file: Any) -> None:
        self._file = file

    def write(self, *parts: bytes) -> None:
        for part in parts:
            rest = memoryview(part)
            while rest:  # a raw file may write fewer bytes than asked
                n = self._file.write(rest)
                if n is None and not isinstance(self._file, RawIOBase):
                    break
                rest = rest[checked_count("target.write", n, 1, len(rest)) :]

    def close(self) -> None:
        pass

    discard = close


class _Deflate:
    """A sink that compresses what it writes to another sink."""

    def __init__(self, sink: Sink, window_bits: int, level: int | None) -> None:
        self._sink = sink
        self._stream = zlib.compressobj(-1 if level is None else level, wbits=window_bits)

    def write(self, *parts: bytes) -> None:
        self._sink.write(*map(self._stream.compress, parts))

    def close(self) -> None:
        self._sink.write(self._stream.flush())
        self._sink.close()

    def discard(self) -> None:
        self._sink.discard()
