"""The window on a file; see window.py."""

from __future__ import annotations

import os
import zlib
from typing import Any

import numpy as np

from ffi_cookbook.bindings.errors import Code, RecordError
from ffi_cookbook.records.reading.cursor import Cursor
from ffi_cookbook.records.reading.window import Window

_HEADER, _FOOTER = 12, 4


class FileWindow(Window):
    """A window on a file: a buffer that is refilled, and doubled when a record needs all of it.

    It grows with the bytes that are read, never to a size that a record merely claims. Where a
    compressed file is damaged, `advance` raises after all bytes before the damage were available.
    """

    def __init__(self, path: str | None, head: bytes, file: Any, size: int) -> None:
        super().__init__(path, memoryview(b""), final=False)
        self._file, self._memory = file, np.empty(max(size, len(head)), np.uint8)
        self._memory.data[: len(head)] = head
        self._fill(len(head))

    def skip_to(self, cursor: Cursor, offset: int) -> None:
        """Move the cursor to this byte of the stream, by a seek if the file allows it."""
        ahead = offset - cursor.base - len(self.data)
        if ahead > 0 and getattr(self._file, "seekable", bool)():
            here = self._file.tell()
            within = here + ahead <= self._file.seek(0, os.SEEK_END)
            self._file.seek(here + ahead if within else here)
            if within:
                cursor.base, cursor.position, self.final = offset, 0, False
                self._fill(0)
        super().skip_to(cursor, offset)

    def _read_on(self, cursor: Cursor) -> Exception | None:
        if self.damage:
            return self.damage
        tail = self.data[cursor.position :]
        if len(tail) >= _HEADER:
            size, left = int.from_bytes(tail[:8], "little"), _left(self._file)
            if left is not None and size > len(tail) + left - _HEADER - _FOOTER:
                return self._cut(cursor, size, len(tail) + left)
        self.advance(cursor)
        return None

    def _cut(self, cursor: Cursor, size: int, there: int) -> RecordError:
        """Return the error that a kernel raises for the record at the cursor at the file's end."""
        start, record = cursor.offset + _HEADER, cursor.record
        data = there - _HEADER
        if size > data:
            return RecordError(Code.TRUNCATED_DATA, None, start, record, None, size, data)
        where = None, start + size, record, None
        return RecordError(Code.TRUNCATED_FOOTER, *where, _FOOTER, data - size)

    def advance(self, cursor: Cursor) -> None:
        """Drop the bytes that the cursor has passed and read on, in a window that is not final."""
        if self.damage:
            raise self.damage
        position = cursor.position
        tail = self.data[position:]
        if position < len(tail):  # otherwise every byte is moved only once
            self._memory = np.empty(2 * self._memory.size, np.uint8)
        self._memory.data[: len(tail)] = tail
        cursor.base, cursor.position = cursor.offset, 0
        self.ahead = None
        self._fill(len(tail))

    def _fill(self, end: int) -> None:
        memory = self._memory.data
        try:
            while end < len(memory) and not self.final:
                n = self._file.readinto(memory[end:])
                end, self.final = end + n, n == 0
        except (EOFError, zlib.error) as error:
            self.damage = type(error)(f"{self.path or '<stream>'}: {error}")
        self.data = memory[:end]


def _left(file: Any) -> int | None:
    """Return the number of bytes that are left in a file, or None if that is unknown."""
    try:
        if not file.seekable():
            return None
        here = file.tell()
        left = file.seek(0, os.SEEK_END) - here
        file.seek(here)
    except (AttributeError, OSError):
        return None
    return left if left > 0 else None  # the files of /proc say that they are empty
