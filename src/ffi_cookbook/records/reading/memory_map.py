"""A memory map that is read like a file, so that a file cut short does not end the process."""

from __future__ import annotations

import errno
import io
import os
from mmap import mmap
from typing import Any

import numpy as np

_MEMORY = "/proc/self/mem"


def is_mapped(source: Any) -> bool:
    """Return True for an `mmap`, where Linux lets a process read its own memory."""
    return isinstance(source, mmap) and os.access(_MEMORY, os.R_OK)


class MappedFile(io.RawIOBase):
    """The bytes of a memory map.

    Access to a page that its file has lost raises the signal SIGBUS, which ends the process. A
    read(2) of the same memory fails with an error instead, which is treated as the end of the file.
    """

    _memory = -1  # the open file of the process's memory

    def __init__(self, mapped: mmap) -> None:
        self._bytes = np.frombuffer(mapped, np.uint8)  # prevents the map from being closed
        self._mapped, self._position = mapped, 0
        self._open()

    def _open(self) -> None:
        self._memory, self._process = os.open(_MEMORY, os.O_RDONLY), os.getpid()

    def _size(self) -> int:
        try:
            return min(len(self._mapped), self._mapped.size())
        except (OSError, ValueError):  # a map without a file, or without a known file
            return len(self._mapped)

    def readable(self) -> bool:
        """Return True."""
        return True

    def seekable(self) -> bool:
        """Return True."""
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        """Move to a position, and return it."""
        start = {os.SEEK_SET: 0, os.SEEK_CUR: self._position, os.SEEK_END: self._size()}[whence]
        if start + offset < 0:
            raise ValueError(f"negative position: {start + offset}")
        self._position = start + offset
        return self._position

    def readinto(self, buffer: Any) -> int:
        """Fill the front of a buffer, and return the number of bytes."""
        if self._process != os.getpid():  # after a fork the open file is the parent's memory
            os.close(self._memory)
            self._open()
        wanted = memoryview(buffer).cast("B")[: max(0, self._size() - self._position)]
        try:
            place = self._bytes.ctypes.data + self._position
            n = os.preadv(self._memory, [wanted], place) if wanted else 0
        except OSError as error:
            if error.errno != errno.EIO:
                raise
            n = 0
        self._position += n
        return n

    def close(self) -> None:
        """Close the file, but not the map."""
        if self._memory >= 0:
            os.close(self._memory)
            self._memory = -1
            del self._bytes
        super().close()
