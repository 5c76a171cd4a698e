"""Arena: the memory of one batch, and the table that says where each column lies in it."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ffi_cookbook.bindings.errors import Code, RecordError
from ffi_cookbook.bindings.protocol import Uint8Array
from ffi_cookbook.records.columns.batch import Batch
from ffi_cookbook.records.columns.fields import Default, Field, Form
from ffi_cookbook.records.columns.ragged import Column, Ragged, dense_column, ragged_column
from ffi_cookbook.records.columns.schema import Schema
from ffi_cookbook.records.reading.cursor import START, Position

_FIRST_VALUES, _FIRST_BYTES = 4096, 65536

_ITEM_SIZES = {"bytes": 8, "float32": 4, "int64": 8, "int32": 4, "uint16": 2, "span": 16}

# np.ndarray takes a third less time with a dtype than with its name or type.
_DTYPES = {kind: np.dtype(kind) for kind in ("float32", "int64", "int32", "uint16")}
_INT64, _UINT8 = np.dtype(np.int64), np.dtype(np.uint8)

# Columns of the table: ck_column of c_src/cookbook.h.
_ROW_OFFSETS, _VALUES, _CAPACITY, _LENGTH, _DATA, _DATA_CAPACITY, _DATA_LENGTH = range(7)
LENGTHS = [_LENGTH, _DATA_LENGTH]  # the numbers of values, and of bytes of strings, of a column


class Misfit(NamedTuple):
    """A row with a number of values that an optional feature cannot have."""

    row: int
    field: Field
    values: int


class Arena:
    """The memory for the columns of `max_records` records; `grown` returns a larger arena.

    Attributes:
        memory: every column, one after the other; 8-byte aligned.
        table: (n, 10), the ck_column of every column of the schema.
    """

    def __init__(
        self, schema: Schema, max_records: int, capacities: list[tuple[int, int]] | None = None
    ) -> None:
        self._schema, self._max_records = schema, max_records
        self._capacities = capacities or [(_FIRST_VALUES, _FIRST_BYTES)] * len(schema.columns)
        self._items = [
            _item(field, form, _row_shape(schema, field)) for field, form in schema.columns
        ]
        self.table = np.zeros((len(schema.columns), 10), np.int64)
        words = 0

        def reserve(size: int) -> int:
            nonlocal words
            offset = 8 * words
            words += -(-size // 8)
            return offset

        for column, (field, form), (values, data) in zip(
            self.table, schema.columns, self._capacities, strict=True
        ):
            steps, is_bytes = form == "steps", field.kind == "bytes"
            column[_ROW_OFFSETS] = -1 if form == "dense" else reserve(8 * (max_records + 1))
            item_size = 8 if steps else _ITEM_SIZES[field.kind]
            column[_VALUES] = reserve(item_size * (values + (steps or is_bytes)))
            column[_CAPACITY] = values
            if is_bytes and not steps:
                column[_DATA] = reserve(data)
                column[_DATA_CAPACITY] = data
        self.memory = _memory(words)

    def renew(self) -> None:
        """Take new memory of the same size; the old memory belongs to its batch."""
        self.memory = _memory(self.memory.size // 8)

    def grown(self, error: RecordError, rows: int) -> Arena:
        """Return an arena with the same `rows`, and at least twice the room that `error` names."""
        capacities = list(self._capacities)
        for number, (field, _) in enumerate(self._schema.columns):
            values, data = capacities[number]
            if field.name != error.field or error.actual not in (values, data):
                continue
            if error.code == Code.CAPACITY:
                values = max(error.expected, 2 * values)
            else:
                data = max(error.expected, 2 * data)
            capacities[number] = values, data
        larger = Arena(self._schema, self._max_records, capacities)
        larger.table[:, LENGTHS] = self.table[:, LENGTHS]
        for i in range(len(capacities)):
            for to, part in zip(larger.parts(i, rows), self.parts(i, rows), strict=True):
                to[:] = part
        return larger

    def batch(self, rows: int, end: Position = START) -> Batch:
        """Return the first `rows` rows as a batch on this memory."""
        columns: dict[str, Column] = {}
        of_steps: list[npt.NDArray[Any]] = []  # the values of a list, whose column of steps is next
        for i, (field, form) in enumerate(self._schema.columns):
            parts = self.parts(i, rows)
            if form == "dense":
                columns[field.name] = dense_column(field, parts, rows)
            elif form == "list":
                of_steps = parts[:-1]
            elif form == "steps":
                columns[field.name] = Ragged(ragged_column(field, [*of_steps, parts[0]]), parts[1])
            elif form == "dense list":
                *values, offsets = parts
                steps = offsets // field.length
                columns[field.name] = Ragged(dense_column(field, values, int(steps[-1])), steps)
            elif field.length is None:
                columns[field.name] = ragged_column(field, parts)
            else:
                values = filled(field, parts, self._schema.defaults[field.name])
                if field.kind != "bytes":
                    values[0] = values[0].reshape(rows, *_row_shape(self._schema, field))
                columns[field.name] = dense_column(field, values, rows)
        return Batch(self._schema, columns, rows, end)

    def in_use(self) -> int:
        """Return the number of bytes that the values of the rows take."""
        sizes = [8 if form == "steps" else _ITEM_SIZES[f.kind] for f, form in self._schema.columns]
        return int(self.table[:, _LENGTH] @ sizes + self.table[:, _DATA_LENGTH].sum())

    def parts(self, i: int, rows: int) -> list[npt.NDArray[Any]]:
        """Return the used arrays of column i: its values, then its row offsets if not dense.

        Values are an array of rows, or of steps, if the schema gives these a shape.
        """
        (field, form), (dtype, shape), memory = self._schema.columns[i], self._items[i], self.memory
        row_offsets, start, _, n, data, _, data_size, *_ = self.table[i].tolist()
        if field.kind == "bytes" and form != "steps":
            parts = [np.ndarray(data_size, _UINT8, memory, data)]
            parts.append(np.ndarray(n + 1, _INT64, memory, start))
        else:
            if form == "dense":
                n = rows
            elif form == "dense list":
                n //= field.length or 1
            elif form == "steps":
                n += 1
            parts = [np.ndarray((n, *shape), dtype, memory, start)]
        if form != "dense":
            parts.append(np.ndarray(rows + 1, _INT64, memory, row_offsets))
        return parts


def _memory(words: int) -> Uint8Array:
    return np.empty(words, np.int64).view(np.uint8)


def _row_shape(schema: Schema, field: Field) -> tuple[int, ...]:
    return schema.shapes.get(field.name, (field.length or 0,))


def _item(
    field: Field, form: Form, row_shape: tuple[int, ...]
) -> tuple[np.dtype[Any], tuple[int, ...]]:
    """Return the dtype of a column's values, and the shape of one item of their array."""
    shape = row_shape if form in ("dense", "dense list") else ()
    if field.kind == "span" and form != "steps":
        shape += (2,)
    return _INT64 if form == "steps" else _DTYPES.get(field.kind, _INT64), shape


def misfit(schema: Schema, arena: Arena, start: int, rows: int) -> Misfit | None:
    """Return the first row with a wrong number of values of an optional feature, or None.

    Only the rows [start, rows) are checked. A row may have the number of values that the schema
    requires, or none.
    """
    first: Misfit | None = None
    for i, (field, form) in enumerate(schema.columns):
        if form == "ragged" and field.length is not None:
            counts = np.diff(arena.parts(i, rows)[-1][start:])
            wrong = np.flatnonzero((counts != field.length) & (counts != 0))
            if len(wrong) and (first is None or start + wrong[0] < first.row):
                first = Misfit(start + int(wrong[0]), field, int(counts[wrong[0]]))
    return first


Parts = list[npt.NDArray[Any]]


def filled(field: Field, parts: Parts, default: Default) -> Parts:
    """Return the parts of a dense column, on the same memory if no record lacks the feature.

    Args:
        parts: the parts of a ragged column, whose rows have `field.length` values or none.
    """
    *values, offsets = parts
    length = field.length or 0
    lacking = np.flatnonzero(np.diff(offsets) == 0) if length else np.empty(0, np.int64)
    if not len(lacking):
        return values
    if field.kind == "bytes":
        return _filled_bytes(values, offsets[lacking], length, default)
    rows = np.empty((len(offsets) - 1, length), values[0].dtype)
    rows[np.diff(offsets) == length] = values[0].reshape(-1, length)
    rows[lacking] = default
    return [rows.reshape(-1)]


def _filled_bytes(parts: Parts, places: Any, length: int, default: Default) -> Parts:
    """Return the same for byte strings.

    `places` has, for each row without strings, the number of the string before which they go.
    """
    data, value_offsets = parts
    strings = default if isinstance(default, tuple) else (default,) * length
    row = np.frombuffer(b"".join(strings), np.uint8)  # type: ignore[arg-type]
    pieces = [row] * (2 * len(places) + 1)
    pieces[::2] = np.split(data, value_offsets[places])
    sizes = [len(string) for string in strings]  # type: ignore[arg-type]
    all_sizes = np.insert(
        np.diff(value_offsets), np.repeat(places, length), np.tile(sizes, len(places))
    )
    return [np.concatenate(pieces), np.concatenate([[0], np.cumsum(all_sizes)])]
