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

    Dense numbers are an array of shape (records, length), ragged numbers are a `Ragged`, byte
    strings are a `RaggedBytes`, a span has shape (2,), and a feature list is a `Ragged` of such
    columns. The columns keep the memory they share alive. A batch can be pickled, with only the
    part of the memory that is in use.
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
        """The position behind the last record, where `read(..., start=batch.end)` continues."""
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
        """Return the feature names, so that `dict(batch)` works."""
        return self._columns.keys()

    def items(self) -> ItemsView[str, Column]:
        """Return (name, column) of every feature."""
        return self._columns.items()

    def to_arrow(self) -> Any:
        """Return a pyarrow.RecordBatch on the same memory.

        Its types are FixedSizeList, LargeList and LargeBinary; a feature list is a LargeList of
        these.
        """
        return interop.to_arrow(self)

    def to_pandas(self) -> Any:
        """Return a pandas.DataFrame on the same memory.

        A feature with one number per row is a plain column, any other a column of Arrow lists.
        """
        return interop.to_pandas(self)

    def to_torch(self) -> dict[str, Any]:
        """Return tensors on the same memory, by feature name.

        A dense column of numbers is one tensor, a ragged one (values, offsets), byte strings are
        (data, value_offsets, offsets); a feature list has these for its steps, and then the offsets
        of the records.
        """
        return interop.to_torch(self)

    def __repr__(self) -> str:
        return f"Batch({self._rows} records, {self._schema!r})"
