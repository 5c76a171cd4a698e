"""Batch: some records as columns, which share one arena and copy nothing."""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, KeysView, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from ffi_cookbook.records.columns import interop
from ffi_cookbook.records.columns.ragged import Column, Ragged, RaggedBytes, padded
from ffi_cookbook.records.columns.schema import Schema
from ffi_cookbook.records.reading.position import START, Position

_NO_NAME = "; a DataLoader needs a collate_fn, such as ffi_cookbook.data.to_torch"


class Batch(Mapping[str, Column]):
    """Some records as columns, by feature name. `len(batch)` is the number of records.

    Dense numbers are an array of shape (records, length), ragged numbers are a `Ragged`, byte
    strings are a `RaggedBytes`, a span has shape (2,), and a feature list is a `Ragged` of such
    columns. The columns keep the memory they share alive. A batch can be pickled, with only the
    part of the memory that is in use. Two batches are equal only if they are the same object.
    """

    __slots__ = ("_columns", "_end", "_rows", "_schema")
    __eq__ = object.__eq__
    __hash__ = object.__hash__

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
        """The position after the last record, where `read(..., start=batch.end)` continues."""
        return self._end

    def __len__(self) -> int:
        return self._rows

    def __getitem__(self, name: str) -> Column:
        try:
            return self._columns[name]
        except KeyError:
            hint = "" if isinstance(name, str) else _NO_NAME
            raise KeyError(f"a batch of {', '.join(self)} has no column {name!r}{hint}") from None

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

    def dense(self, name: str) -> npt.NDArray[Any]:
        """Return a column of numbers that has the same shape in every record.

        Raises:
            TypeError: the column is of another kind.
        """
        column = self[name]
        if not isinstance(column, np.ndarray):
            raise TypeError(f"column {name!r} is a {type(column).__name__}, not dense numbers")
        return column

    def ragged(self, name: str) -> Ragged:
        """Return a column with any number of values in a record.

        Raises:
            TypeError: the column is of another kind.
        """
        column = self[name]
        if not isinstance(column, Ragged):
            raise TypeError(f"column {name!r} is a {type(column).__name__}, not a Ragged")
        return column

    def padded(self, name: str, fill: Any = 0) -> tuple[npt.NDArray[Any], npt.NDArray[np.bool_]]:
        """Return a column as an array, filled up with `fill`, and a mask of where it has values.

        See `ffi_cookbook.data.padded` for the shapes. A column with one byte string in each record
        or step has no axis of strings. Both arrays are new.

        Raises:
            TypeError: the column is dense numbers, or `fill` is not a number.
            ValueError: the dtype of the column cannot hold `fill`.
        """
        column = self[name]
        if isinstance(column, np.ndarray):
            raise TypeError(f"column {name!r} is dense numbers, which need no padding")
        array, mask = padded(column, fill)
        strings = column.values if isinstance(column, Ragged) else column
        if isinstance(strings, RaggedBytes) and self._schema.shapes.get(name) == ():
            shape = array.shape[:-2] + array.shape[-1:]  # there is one string, or nothing at all
            return array.reshape(shape), mask.reshape(shape)
        return array, mask

    def text(self, name: str) -> list[str]:
        """Return the strings of a column that has one byte string of UTF-8 in each record.

        Raises:
            TypeError: the column is of another kind.
            ValueError: a record has no string or several, or one that is not valid UTF-8.
        """
        column = self[name]
        if not isinstance(column, RaggedBytes):
            raise TypeError(f"column {name!r} is a {type(column).__name__}, not byte strings")
        counts = np.diff(column.offsets)
        if len(other := np.flatnonzero(counts != 1)):
            raise ValueError(
                f"column {name!r} must have one string in each row, not {counts[other[0]]} in row "
                f"{other[0]}"
            )
        try:
            return [string.decode() for (string,) in column]
        except UnicodeDecodeError as error:
            raise ValueError(f"column {name!r} has a string that is not valid UTF-8") from error

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield each record as a dict: an array or a number, or a list of byte strings."""
        for row in range(self._rows):
            yield {name: column[row] for name, column in self._columns.items()}

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
