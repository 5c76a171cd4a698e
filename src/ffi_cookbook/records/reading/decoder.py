"""Decoder: records, of windows or picked from memory, decoded into an arena."""

from __future__ import annotations

from typing import Any

from ffi_cookbook.bindings.errors import Code, RecordError
from ffi_cookbook.bindings.protocol import Backend, Int64Array
from ffi_cookbook.records.columns.arena import Arena, Misfit, misfit
from ffi_cookbook.records.columns.schema import Schema
from ffi_cookbook.records.reading.cursor import Cursor
from ffi_cookbook.records.reading.missing_features import Presence
from ffi_cookbook.records.reading.window import Window

TOO_SMALL = (Code.CAPACITY, Code.DATA_CAPACITY)
_BYTES = 32 << 20  # used by a batch that is bounded in bytes; its arena may be twice as large


class Decoder:
    """A decoder of records into `arena`, for which a larger one is made when they need it.

    Args:
        schema, backend, verify: as for `read`.
        max_records: the most rows that the arena holds.
        presence: what looks at the records, or None.
        room: for each column of the schema, the numbers of values and of bytes of strings to
            reserve memory for.
        by_bytes: True if a batch ends when its values take much memory.
    """

    def __init__(
        self,
        schema: Schema,
        backend: Backend,
        max_records: int,
        verify: bool,
        presence: Presence | None = None,
        room: list[tuple[int, int]] | None = None,
        by_bytes: bool = False,
    ) -> None:
        self._backend, self._schema, self._max_records = backend, schema, max_records
        self._by_bytes, self._verify, self._presence = by_bytes, verify, presence
        self._optional = any(schema.defaults)
        self.arena = Arena(schema, max_records, room)

    def gather(self, buffer: Any, spans: Int64Array, cursor: Cursor) -> RecordError | None:
        """Decode the rows up to the end of `spans`, which are places in the buffer.

        Return the error of the first bad record, or None. With a presence, the frames of the
        records must lie one after the other.
        """
        before = cursor.rows
        fault = self._gather(buffer, spans, cursor)
        while fault and fault.code in TOO_SMALL:
            self.arena = self.arena.grown(fault, cursor.rows)
            fault = self._gather(buffer, spans, cursor)
        if wrong := misfit(self._schema, self.arena, before, cursor.rows):
            return _dense_length(wrong, int(spans[wrong.row, 0]), wrong.row)
        if not fault and self._presence and self._presence.absent and cursor.rows > before:
            start, end = int(spans[before, 0]) - 12, int(spans[cursor.rows - 1].sum()) + 4
            frames = memoryview(buffer)[start:end]
            self._presence.look(self.arena, frames, cursor.rows - before)
        return fault

    def _gather(self, buffer: Any, spans: Int64Array, cursor: Cursor) -> RecordError | None:
        try:
            self._backend.gather_examples(
                buffer,
                spans,
                self._schema.buffer,
                self.arena.memory,
                self.arena.table,
                cursor.array,
                self._verify,
            )
        except RecordError as error:
            return error
        return None

    def fill(self, window: Window, cursor: Cursor) -> tuple[RecordError | None, bool]:
        """Decode until a bad record, a full batch, or the end of the window.

        Return the error of the bad record or None, and True if the batch is full.
        """
        while True:
            watched = self._presence if self._presence and self._presence.absent else None
            before = cursor.copy()
            table = self.arena.table.copy() if self._optional else None
            fault = None
            try:
                self._decode(window, cursor, self._max_records)
            except RecordError as error:
                fault = error
            if table is not None:
                fault = self._misfit(window, cursor, before, table) or fault
            if watched:
                # The slice has no name: an error keeps this frame and its names alive.
                watched.look(
                    self.arena,
                    window.data[before.position : cursor.position],
                    cursor.rows - before.rows,
                )
            rows = cursor.rows
            if fault is None or fault.code not in TOO_SMALL:
                return fault, rows == self._max_records
            if self._by_bytes and rows and self.arena.in_use() > _BYTES:
                return None, True
            self.arena = self.arena.grown(fault, rows)

    def _decode(self, window: Window, cursor: Cursor, max_records: int) -> None:
        self._backend.decode_examples(
            window.data,
            self._schema.buffer,
            self.arena.memory,
            self.arena.table,
            cursor.array,
            max_records,
            self._verify,
            window.final,
        )

    def _misfit(
        self, window: Window, cursor: Cursor, before: Cursor, table: Int64Array
    ) -> RecordError | None:
        """Return the error of the first record with a wrong optional feature, or None.

        Such a feature has values, but not the number that the schema requires. The cursor goes back
        to that record.
        """
        wrong = misfit(self._schema, self.arena, before.rows, cursor.rows)
        if wrong is None:
            return None
        cursor.move(before)
        self.arena.table[:] = table
        if wrong.row > before.rows:
            self._decode(window, cursor, wrong.row)
        return _dense_length(wrong, cursor.offset + 12, cursor.record)


def _dense_length(wrong: Misfit, offset: int, record: int) -> RecordError:
    """Return the error that a kernel, which knows no defaults, raises for a dense feature."""
    name, _, length = wrong.field
    return RecordError(Code.DENSE_LENGTH, None, offset, record, name, length or 0, wrong.values)
