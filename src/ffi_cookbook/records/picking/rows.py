"""The rows of a batch of picked records."""

from __future__ import annotations

from typing import Any

from ffi_cookbook.bindings.errors import Code, RecordError
from ffi_cookbook.bindings.protocol import Backend, Int64Array
from ffi_cookbook.records.columns.arena import LENGTHS, Arena, misfit
from ffi_cookbook.records.columns.batch import Batch
from ffi_cookbook.records.columns.schema import Schema
from ffi_cookbook.records.picking.frames import refuse_compressed
from ffi_cookbook.records.reading.cursor import Cursor
from ffi_cookbook.records.reading.decoder import TOO_SMALL
from ffi_cookbook.records.reading.missing_features import Presence
from ffi_cookbook.records.reading.sources import Source


class Rows:
    """The rows of a batch that is being gathered.

    Args:
        schema, backend, verify: as for `gather`.
        rows: the number of rows that there will be.
        room: for each column of the schema, the numbers of values and of bytes of strings to
            reserve memory for.
        presence: what looks at the records, whose frames must lie one after the other; or None.
    """

    def __init__(
        self,
        schema: Schema,
        rows: int,
        backend: Backend,
        verify: bool,
        room: list[tuple[int, int]] | None = None,
        presence: Presence | None = None,
    ) -> None:
        self._presence = presence
        self._schema, self._backend, self._verify = schema, backend, verify
        self._arena, self._cursor = Arena(schema, rows, room), Cursor()

    def decode(self, buffer: Any, spans: Int64Array, source: Source) -> None:
        """Decode the rows up to the end of `spans`, which are places in the buffer.

        Raises:
            RecordError: a record is bad.
            ValueError: a record is bad because `source` is compressed.
        """
        before, fault = self._cursor.rows, None
        while True:
            try:
                self._backend.gather_examples(
                    buffer,
                    spans,
                    self._schema.buffer,
                    self._arena.memory,
                    self._arena.table,
                    self._cursor.array,
                    self._verify,
                )
            except RecordError as error:
                if error.code in TOO_SMALL:
                    self._arena = self._arena.grown(error, self._cursor.rows)
                    continue
                fault = error
            break
        if wrong := misfit(self._schema, self._arena, before, self._cursor.rows):
            place = int(spans[wrong.row, 0]), wrong.row, wrong.field.name
            sizes = wrong.field.length or 0, wrong.values
            fault = RecordError(Code.DENSE_LENGTH, None, *place, *sizes)
        if fault:
            if source is not None:
                refuse_compressed(source)
            raise fault
        if self._presence and self._presence.absent and self._cursor.rows > before:
            start, end = int(spans[before, 0]) - 12, int(spans[self._cursor.rows - 1].sum()) + 4
            look = self._presence.look
            look(self._arena, memoryview(buffer)[start:end], self._cursor.rows - before)

    def used(self) -> Int64Array:
        """Return the number of values, and of bytes of strings, of each column."""
        return self._arena.table[:, LENGTHS]

    def batch(self) -> Batch:
        """Return a batch of the decoded rows."""
        return self._arena.batch(self._cursor.rows)
