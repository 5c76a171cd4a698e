"""File objects of a caller, whose results may be wrong."""

from __future__ import annotations

import errno
import operator
from typing import Any


def checked_count(call: str, count: Any, least: int, most: int) -> int:
    """Return the number of bytes that a method of a file object reports.

    Raises:
        BlockingIOError: it is None: the file does not block, and was not ready.
        OSError: the number is impossible.
    """
    if count is None:
        raise BlockingIOError(errno.EAGAIN, f"{call} must block until the file is ready")
    number = operator.index(count)
    if not least <= number <= most:
        raise OSError(f"{call} must return a number of bytes from {least} to {most}, not {number}")
    return number


class GivenFile:
    """A file object that is read: `readinto` is checked, and `read` is built on it."""

    def __init__(self, file: Any) -> None:
        self._file = file

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)

    def readinto(self, part: memoryview) -> int:
        """Fill the front of `part`, and return the number of bytes."""
        return checked_count("source.readinto", self._file.readinto(part), 0, len(part))

    def read(self, most: int) -> bytes:
        """Return up to `most` bytes."""
        part = memoryview(bytearray(most))
        return bytes(part[: self.readinto(part)])
