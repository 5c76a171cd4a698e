"""The targets of a writer: a path, a URL or a file object."""

from __future__ import annotations

import contextlib
import os
from io import RawIOBase, TextIOBase
from typing import Any, Protocol, TypeAlias

from ffi_cookbook.files import NewFile
from ffi_cookbook.records.reading.file_objects import checked_count

Target: TypeAlias = Any
"""A path (str or os.PathLike), a `NewFile`, a URL for fsspec to open (a str with :// in it), or a
binary file object (`write`), which is not closed."""


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
        OSError: the file cannot be made.
    """
    if isinstance(target, NewFile):
        return target
    if isinstance(target, str) and "://" in target:
        return _Remote(target)
    if isinstance(target, str | os.PathLike):
        return NewFile(target)
    if hasattr(target, "write") and not isinstance(target, TextIOBase):
        return _Borrowed(target)
    kind = type(target).__name__
    raise TypeError(f"target must be a path, a URL or a binary file object, not {kind}")


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


class _Remote:
    """A file that fsspec opens; it is published at the end if its file system supports that."""

    def __init__(self, url: str) -> None:
        try:
            from fsspec.core import url_to_fs  # type: ignore[import-not-found, import-untyped, unused-ignore]
        except ImportError as error:
            raise ImportError(f"{url}: to write to a URL, install fsspec") from error
        system, path = url_to_fs(url)
        self._file = system.open(path, "wb", autocommit=False)

    def write(self, *parts: bytes) -> None:
        for part in parts:
            self._file.write(part)

    def close(self) -> None:
        self._file.close()

    def publish(self) -> None:
        self._file.close()
        self._file.commit()

    def discard(self) -> None:
        with contextlib.suppress(Exception):
            self._file.close()
            self._file.discard()
