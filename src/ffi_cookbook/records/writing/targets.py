"""The targets of a writer: a path or a file object."""

from __future__ import annotations

import os
from io import RawIOBase, TextIOBase
from typing import Any, Protocol, TypeAlias

from ffi_cookbook.files import NewFile
from ffi_cookbook.records.reading.file_objects import checked_count

Target: TypeAlias = Any
"""A path (str or os.PathLike), or a binary file object (`write`), which stays open."""


class Sink(Protocol):
    """The result of `open_target`: bytes are written, then published or discarded."""

    def write(self, *parts: bytes) -> None:
        """Append these parts, one after the other."""

    def close(self) -> None:
        """Complete the file, but do not publish it yet."""

    def publish(self) -> None:
        """Let others see the file under its name."""

    def discard(self) -> None:
        """Remove the written bytes, if that is possible."""


def open_target(target: Target) -> Sink:
    """Open a file for writing.

    Raises:
        TypeError: `target` is none of these, or a file object for text.
        ValueError: it is a URL.
        OSError: the file cannot be made.
    """
    if isinstance(target, str) and "://" in target:
        raise ValueError(
            f'target must not be a URL: pass the file that fsspec.open("{target}", "wb") opens'
        )
    if isinstance(target, str | os.PathLike):
        return NewFile(target)
    if hasattr(target, "write") and not isinstance(target, TextIOBase):
        return _Borrowed(target)
    kind = type(target).__name__
    raise TypeError(f"target must be a path or a binary file object, not {kind}")


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

    publish = discard = close
