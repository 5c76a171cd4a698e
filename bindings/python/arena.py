"""The arena: one buffer that holds every column of a batch, and the table that says where."""

from __future__ import annotations

import struct

from bindings.errors import Code
from bindings.protocol import Int64Array, Uint8Array
from bindings.python.example import KIND_BYTES, KIND_FLOAT, SchemaField, Values
from bindings.python.framing import Fault


def check_part(arena: Uint8Array, offset: int, size: int) -> None:
    """`size` bytes at `offset` must lie within the arena, which must be aligned as they are."""
    misaligned = offset % 8 != 0 or arena.ctypes.data % 8 != 0
    if misaligned or offset < 0 or size < 0 or offset + size > arena.size:
        raise Fault(Code.ARGUMENT, 0)


class Column:
    """One column of the arena, to which rows are appended: first `check`, then `commit`."""

    def __init__(
        self, arena: Uint8Array, table_row: Int64Array, field: SchemaField, max_records: int
    ) -> None:
        self._memory, self._row, self._field = arena.reshape(-1).data, table_row, field
        self._row_offsets, self._values, self._capacity, self._length = table_row[:4].tolist()
        self._data, self._data_capacity, self._data_length = table_row[4:7].tolist()
        item = 4 if field.kind == KIND_FLOAT else 8
        if not 0 <= self._length <= self._capacity:
            raise Fault(Code.ARGUMENT, 0)
        if field.length is None:
            check_part(arena, self._row_offsets, 8 * (max_records + 1))
        if field.kind == KIND_BYTES:
            check_part(arena, self._values, item * (self._capacity + 1))
            check_part(arena, self._data, self._data_capacity)
            if not 0 <= self._data_length <= self._data_capacity:
                raise Fault(Code.ARGUMENT, 0)
        else:
            check_part(arena, self._values, item * self._capacity)

    def clear(self) -> None:
        """Starts a batch."""
        self._length = self._data_length = 0
        self._store_lengths()
        if self._field.length is None:
            struct.pack_into("=q", self._memory, self._row_offsets, 0)
        if self._field.kind == KIND_BYTES:
            struct.pack_into("=q", self._memory, self._values, 0)

    def check(self, values: Values, header: int) -> None:
        """Whether the column has room for `values`, of the record whose header is at `header`."""
        needed = self._length + len(values)
        if needed > self._capacity:
            raise Fault(Code.CAPACITY, header, needed, self._capacity)
        if self._field.kind == KIND_BYTES:
            needed = self._data_length + sum(map(len, values))
            if needed > self._data_capacity:
                raise Fault(Code.DATA_CAPACITY, header, needed, self._data_capacity)

    def commit(self, values: Values, row: int) -> None:
        """Appends `values` as row number `row`."""
        n = len(values)
        if self._field.kind == KIND_BYTES:
            ends = []
            for value in values:
                start = self._data + self._data_length
                self._memory[start : start + len(value)] = value
                self._data_length += len(value)
                ends.append(self._data_length)
            struct.pack_into(f"={n}q", self._memory, self._values + 8 * (self._length + 1), *ends)
        else:
            item, code = (4, "I") if self._field.kind == KIND_FLOAT else (8, "Q")
            at = self._values + item * self._length
            struct.pack_into(f"={n}{code}", self._memory, at, *values)
        self._length += n
        if self._field.length is None:
            struct.pack_into("=q", self._memory, self._row_offsets + 8 * (row + 1), self._length)
        self._store_lengths()

    def _store_lengths(self) -> None:
        self._row[3], self._row[6] = self._length, self._data_length
