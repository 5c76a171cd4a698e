"""The arena: one buffer that holds every column of a batch, and the table of their places."""

from __future__ import annotations

import struct
from typing import Any

from ffi_cookbook.bindings._glue.fixed import Parts
from ffi_cookbook.bindings._glue.framing import Fault, Frame
from ffi_cookbook.bindings._glue.search import HEADER
from ffi_cookbook.bindings.errors import Code
from ffi_cookbook.bindings.protocol import Int64Array, Uint8Array
from ffi_cookbook.bindings.python.example import Values, decode_entry, find_entries
from ffi_cookbook.bindings.python.schema import (
    DENSE,
    KIND_BYTES,
    KIND_FLOAT,
    KIND_INT32,
    KIND_INT64,
    KIND_SPANS,
    KIND_UINT16,
    STEPS,
    SchemaField,
    read_schema,
)

_FORMATS = {
    KIND_BYTES: "q",
    KIND_FLOAT: "I",
    KIND_INT64: "q",
    KIND_INT32: "i",
    KIND_UINT16: "H",
    KIND_SPANS: "2q",
}


MOST_VALUES = 2**62  # of all steps together: more than any buffer can hold


class Column:
    """One column of the arena, to which rows are appended: first `check`, then `commit`."""

    def __init__(
        self, parts: Parts, table_row: Int64Array, field: SchemaField, max_records: int
    ) -> None:
        self._memory, self._row, self._field = parts.memory, table_row, field
        self._row_offsets, self._values, self._capacity, self._length = table_row[:4].tolist()
        self._data, self._data_capacity, self._data_length = table_row[4:7].tolist()
        steps = field.form == STEPS
        self._format = "q" if steps else _FORMATS[field.kind]
        self._has_offsets = steps or field.kind == KIND_BYTES
        self._item = struct.calcsize("=" + self._format)
        if not 0 <= self._length <= self._capacity:
            raise Fault(Code.ARGUMENT, 0)
        if field.form != DENSE:
            parts.take(self._row_offsets, 8 * (max_records + 1))
        parts.take(self._values, self._item * (self._capacity + self._has_offsets))
        if field.stores_bytes:
            parts.take(self._data, self._data_capacity)
            if not 0 <= self._data_length <= self._data_capacity:
                raise Fault(Code.ARGUMENT, 0)
        elif steps and not 0 <= self._data_length <= MOST_VALUES:
            raise Fault(Code.ARGUMENT, 0)

    def clear(self) -> None:
        """Start a batch."""
        self._length = self._data_length = 0
        self._store_lengths()
        if self._field.form != DENSE:
            struct.pack_into("=q", self._memory, self._row_offsets, 0)
        if self._has_offsets:
            struct.pack_into("=q", self._memory, self._values, 0)

    def check(self, values: Values, header: int) -> None:
        """Raise Fault unless the column has room for `values` of the record with this header."""
        needed = self._length + len(values)
        if needed > self._capacity:
            raise Fault(Code.CAPACITY, header, needed, self._capacity)
        if self._field.stores_bytes:
            needed = self._data_length + sum(end - start for start, end in values)
            if needed > self._data_capacity:
                raise Fault(Code.DATA_CAPACITY, header, needed, self._data_capacity)

    def commit(self, view: memoryview, base: int, values: Values, row: int) -> None:
        """Append `values` as row number `row`; view[0] is byte `base` of the file."""
        numbers, at = values, self._values + self._item * (self._length + self._has_offsets)
        if self._has_offsets:
            numbers = []
            for value in values:
                numbers.append(self._data_length + self._append_data(view, value))
                self._data_length = numbers[-1]
        elif self._field.kind == KIND_SPANS:
            numbers = [n for start, end in values for n in (base + start, end - start)]
        struct.pack_into("=" + self._format * len(values), self._memory, at, *numbers)
        self._length += len(values)
        if self._field.form != DENSE:
            struct.pack_into("=q", self._memory, self._row_offsets + 8 * (row + 1), self._length)
        self._store_lengths()

    def _append_data(self, view: memoryview, value: Any) -> int:
        """Return the size of a value, whose bytes are copied, or the number of values of a step."""
        if self._field.form == STEPS:
            return int(value)
        (start, end), to = value, self._data + self._data_length
        self._memory[to : to + end - start] = view[start:end]
        return int(end - start)

    def _store_lengths(self) -> None:
        self._row[3], self._row[6] = self._length, self._data_length


class Table:
    """The columns of a batch, which grow together, record by record."""

    def __init__(
        self, schema: bytes, arena: Uint8Array, columns: Int64Array, max_records: int, rows: int
    ) -> None:
        self._fields = read_schema(schema, len(columns))
        parts, table = Parts(arena), zip(columns, self._fields, strict=True)
        self._columns = [Column(parts, column, field, max_records) for column, field in table]
        for column in self._columns if rows == 0 else ():
            column.clear()

    def append(self, view: memoryview, base: int, frame: Frame, row: int) -> None:
        """Decode a record; none of it is committed before all of it is valid."""
        entries = find_entries(view, frame, {field.place for field in self._fields})
        decoded = []
        for number, (field, column) in enumerate(zip(self._fields, self._columns, strict=True)):
            try:
                values = decode_entry(view, frame, entries.get(field.place), field)
                column.check(values, header=frame.start - HEADER)
            except Fault as fault:
                fault.field = number
                raise
            decoded.append(values)
        for column, values in zip(self._columns, decoded, strict=True):
            column.commit(view, base, values, row)
