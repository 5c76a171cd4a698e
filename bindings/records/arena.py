"""Arena: the memory of one batch, and the table that says where each column lies in it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from bindings.errors import Code, RecordError
from bindings.protocol import Int64Array
from bindings.records.batch import Batch, Column
from bindings.records.defaults import filled
from bindings.records.fields import Field
from bindings.records.position import START, Position
from bindings.records.ragged import Ragged, RaggedBytes
from bindings.records.schema import Schema

_FIRST_VALUES, _FIRST_BYTES = 4096, 65536

_ITEM_SIZES = {"bytes": 8, "float32": 4, "int64": 8, "int32": 4, "uint16": 2, "span": 16}

# Columns of the table: ck_column of c_src/cookbook.h.
_ROW_OFFSETS, _VALUES, _CAPACITY, _LENGTH, _DATA, _DATA_CAPACITY, _DATA_LENGTH = range(7)


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
        self.memory = np.empty(words, np.int64).view(np.uint8)

    def fresh(self) -> Arena:
        """Return an empty arena as large as this one has become."""
        return Arena(self._schema, self._max_records, self._capacities)

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
        larger.table[:, [_LENGTH, _DATA_LENGTH]] = self.table[:, [_LENGTH, _DATA_LENGTH]]
        for i in range(len(capacities)):
            for to, part in zip(larger.parts(i, rows), self.parts(i, rows), strict=True):
                to[:] = part
        return larger

    def batch(self, rows: int, end: Position = START) -> Batch:
        """Return the first `rows` rows as a batch on this memory."""
        columns: dict[str, Column] = {}
        of_steps: list[npt.NDArray[Any]] = []  # the values of a list, whose column of steps is next
        for i, (field, form) in enumerate(self._schema.columns):
            *values, offsets = parts = self.parts(i, rows)
            if form == "list":
                of_steps = values
            elif form == "steps":
                columns[field.name] = Ragged(_ragged(field, [*of_steps, *values]), offsets)
            elif form == "ragged" and field.length is not None:
                default = self._schema.defaults[field.name]
                columns[field.name] = self._dense(field, filled(field, parts, default), rows)
            elif form == "ragged":
                columns[field.name] = _ragged(field, parts)
            elif form == "dense":
                columns[field.name] = self._dense(field, parts, rows)
            else:
                steps = offsets // field.length
                columns[field.name] = Ragged(self._dense(field, values, int(steps[-1])), steps)
        return Batch(self._schema, columns, rows, end)

    def lengths(self) -> Int64Array:
        """Return the number of values, and of bytes of strings, that each column has."""
        return self.table[:, [_LENGTH, _DATA_LENGTH]]

    def in_use(self) -> int:
        """Return the number of bytes that the values of the rows take."""
        sizes = [8 if form == "steps" else _ITEM_SIZES[f.kind] for f, form in self._schema.columns]
        return int(self.table[:, _LENGTH] @ sizes + self.table[:, _DATA_LENGTH].sum())

    def filled_columns(self) -> Iterator[tuple[Field, bool]]:
        """Yield the field of each column, and whether it has a value in the rows."""
        for (field, _), length in zip(self._schema.columns, self.table[:, _LENGTH], strict=True):
            yield field, bool(length)

    def _dense(self, field: Field, parts: list[npt.NDArray[Any]], rows: int) -> Column:
        """Return rows of `field.length` values each, in the shape that the schema gives them."""
        length = field.length or 0
        if field.kind == "bytes":
            data, value_offsets = parts
            return RaggedBytes(data, value_offsets, np.arange(rows + 1) * length)
        shape = self._schema.shapes.get(field.name, (length,))
        return parts[0].reshape(rows, *shape, *parts[0].shape[1:])

    def parts(self, i: int, rows: int) -> list[npt.NDArray[Any]]:
        """Return the used arrays of column i: its values, then its row offsets if not dense."""
        field, form = self._schema.columns[i]
        column: list[int] = self.table[i].tolist()

        def view(offset: int, n: int, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
            return np.ndarray(n, dtype, self.memory, offset)

        if form == "steps":
            parts = [view(column[_VALUES], column[_LENGTH] + 1, np.int64)]
        elif field.kind == "bytes":
            value_offsets = view(column[_VALUES], column[_LENGTH] + 1, np.int64)
            parts = [view(column[_DATA], column[_DATA_LENGTH], np.uint8), value_offsets]
        elif field.kind == "span":
            parts = [view(column[_VALUES], 2 * column[_LENGTH], np.int64).reshape(-1, 2)]
        else:
            parts = [view(column[_VALUES], column[_LENGTH], field.kind)]
        if form != "dense":
            parts.append(view(column[_ROW_OFFSETS], rows + 1, np.int64))
        return parts


def _ragged(field: Field, parts: list[npt.NDArray[Any]]) -> Ragged | RaggedBytes:
    return RaggedBytes(*parts) if field.kind == "bytes" else Ragged(*parts)
