"""A window on a stream of records, which moves forward as they are read."""

from __future__ import annotations

import zlib

from ffi_cookbook.bindings.errors import RecordError
from ffi_cookbook.records.reading.cursor import Cursor
from ffi_cookbook.records.recovery.ahead import Ahead

Damage = (EOFError, zlib.error)
"""The exceptions of a damaged compressed stream."""


class Window:
    """Some bytes of a stream, here of memory; `final` is True if the stream ends with them.

    Attributes:
        damage: the fault of a compressed stream, once all data before it is in `data`.
        ahead: the known records in `data` after some damage.
    """

    def __init__(self, path: str | None, data: memoryview, final: bool = True) -> None:
        self.path, self.data, self.final = path, data, final
        self.damage: EOFError | zlib.error | None = None
        self.ahead: Ahead | None = None
        self._whole: tuple[memoryview, bool] | None = None

    @property
    def ended(self) -> bool:
        """True if nothing follows `data`, because the stream ends or is damaged there."""
        return self.final or self.damage is not None

    def cut(self, cursor: Cursor) -> None:
        """End the window at the next damage, if it is known."""
        place = cursor.offset
        if self.ahead and (end := self.ahead.next_damage(place)) < self.ahead.stop:
            self._whole = self.data, self.final
            self.data, self.final = self.data[: end - cursor.base], False

    def restore(self) -> bool:
        """Undo `cut`, and return True if there was one."""
        if self._whole is None:
            return False
        self.data.release()
        (self.data, self.final), self._whole = self._whole, None
        return True

    def next_record(self, cursor: Cursor) -> Exception | None:
        """Read more of the record at the cursor, in a window that is not final.

        Return the record's fault if the window is cut there, the damage if the stream ends in the
        record, a RecordError if the record claims more than the file has left, else None.
        """
        if self.restore() and self.ahead:
            return self.ahead.fault(cursor)
        return self._read_on(cursor)

    def _read_on(self, cursor: Cursor) -> Exception | None:
        return None

    def advance(self, cursor: Cursor) -> None:
        """Drop the bytes that the cursor has passed and read on, in a window that is not final."""

    def skip_to(self, cursor: Cursor, offset: int) -> None:
        """Move the cursor to this byte of the stream."""
        while (end := cursor.base + len(self.data)) < offset:
            if self.final:
                where = self.path or "<buffer>"
                raise ValueError(f"{where}: ends at byte {end}, before the offset {offset}")
            cursor.position = len(self.data)
            self.advance(cursor)
        cursor.position = offset - cursor.base

    def located(self, error: RecordError) -> RecordError:
        """Return the same error with the path of the source."""
        where = self.path, error.byte_offset, error.record, error.field
        return RecordError(error.code, *where, error.expected, error.actual)
