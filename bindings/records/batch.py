"""Batch: some records as columns, which share one arena and copy nothing."""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, KeysView
from typing import Any, TypeAlias

import numpy.typing as npt

from bindings.records import interop
from bindings.records.position import START, Position
from bindings.records.ragged import Ragged, RaggedBytes
from bindings.records.schema import Schema

Column: TypeAlias = npt.NDArray[Any] | Ragged | RaggedBytes


class Batch:
    """Some records as columns, by feature name; `len(batch)` is the number of records.

    Dense numbers are an array of shape (records, length), ragged ones a `Ragged`, byte strings a
    `RaggedBytes`, spans numbers of shape (2,); a feature list is a `Ragged` of such. The columns
    keep the memory they share alive. A batch pickles, with the used part of it only.
    """

    __slots__ = ("_columns", "_end", "_rows", "_schema")

    def __init__(
        self, schema: Schema, columns: dict[str, Column], rows: int, end: Position = START
    ) -> None:
        self._schema, self._columns, self._rows, self._end = schema, columns, rows, end

    @property
    def schema(self) -> Schema:
        """The schema the records were decoded with."""
        return self._schema

    @property
    def end(self) -> Position:
        """Where the records of this batch end: `read(..., start=batch.end)` goes on behind them."""
        return self._end

    def __len__(self) -> int:
        return self._rows

    def __getitem__(self, name: str) -> Column:
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __contains__(self, name: object) -> bool:
        return name in self._columns

    def keys(self) -> KeysView[str]:
        """The feature names, so that `dict(batch)` works."""
        return self._columns.keys()

    def items(self) -> ItemsView[str, Column]:
        """(name, column) of every feature."""
        return self._columns.items()

    def to_arrow(self) -> Any:
        """A pyarrow.RecordBatch on the same memory: FixedSizeList, LargeList, LargeBinary; of a
        feature list a LargeList of these."""
        return interop.to_arrow(self)

    def to_pandas(self) -> Any:
        """A pandas.DataFrame: one number a row is a column on the same memory, everything else a
        column of Arrow lists on it."""
        return interop.to_pandas(self)

    def to_torch(self) -> dict[str, Any]:
        """Tensors on the same memory: one for a dense column of numbers, (values, offsets) for a
        ragged one, (data, value_offsets, offsets) for byte strings; of a feature list these for its
        steps, and then the offsets of the records."""
        return interop.to_torch(self)

    def __repr__(self) -> str:
        return f"Batch({self._rows} records, {self._schema!r})"
