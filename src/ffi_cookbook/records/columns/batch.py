"""Batch: some records as columns, which share one arena, here and in other libraries."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from ffi_cookbook.records.columns.fields import Field
from ffi_cookbook.records.columns.ragged import Column, Ragged, RaggedBytes, arrays_of, padded
from ffi_cookbook.records.columns.schema import Schema
from ffi_cookbook.records.reading.cursor import START, Position

_NO_NAME = "; a DataLoader needs a collate_fn, such as ffi_cookbook.data.to_torch"


class Batch(Mapping[str, Column]):
    """Some records as columns, by feature name. `len(batch)` is the number of records.

    Dense numbers are an array of shape (records, length), ragged numbers are a `Ragged`, byte
    strings are a `RaggedBytes`, a span has shape (2,), and a feature list is a `Ragged` of such
    columns. The columns keep the memory they share alive. A batch can be pickled, with only the
    part of the memory that is in use. Two batches are equal only if they are the same object.

    Attributes:
        schema: the schema the records were decoded with.
        end: the position after the last record, where `read(..., start=batch.end)` continues.
    """

    __slots__ = ("_columns", "_rows", "end", "schema")
    __eq__ = object.__eq__
    __hash__ = object.__hash__

    def __init__(
        self, schema: Schema, columns: dict[str, Column], rows: int, end: Position = START
    ) -> None:
        self.schema, self._columns, self._rows, self.end = schema, columns, rows, end

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

    def dense(self, name: str) -> npt.NDArray[Any]:
        """Return a column of numbers that has the same shape in every record.

        Raises:
            TypeError: the column is of another kind.
        """
        column = self[name]
        if not isinstance(column, np.ndarray):
            raise TypeError(f"column {name!r} is a {type(column).__name__}, not dense numbers")
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
        if isinstance(strings, RaggedBytes) and self.schema.shapes.get(name) == ():
            shape = array.shape[:-2] + array.shape[-1:]  # there is one string, or nothing at all
            return array.reshape(shape), mask.reshape(shape)
        return array, mask

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield each record as a dict: an array or a number, or a list of byte strings."""
        for row in range(self._rows):
            yield {name: column[row] for name, column in self._columns.items()}

    def to_arrow(self) -> Any:
        """Return a pyarrow.RecordBatch on the same memory.

        Its types are FixedSizeList, LargeList and LargeBinary; a feature list is a LargeList of
        these.
        """
        import pyarrow as pa  # type: ignore[import-not-found, import-untyped, unused-ignore]

        columns = [_arrow_column(self, name) for name in self]
        fields = [pa.field(*pair) for pair in zip(self, (c.type for c in columns), strict=True)]
        if not columns:
            return pa.RecordBatch.from_struct_array(pa.array([{}] * len(self), pa.struct([])))
        return pa.RecordBatch.from_arrays(columns, schema=pa.schema(fields))

    def to_pandas(self) -> Any:
        """Return a pandas.DataFrame on the same memory.

        A feature with one number per row is a plain column, any other a column of Arrow lists.
        """
        import pandas as pd  # type: ignore[import-not-found, import-untyped, unused-ignore]

        def series(name: str) -> Any:
            column = self[name]
            if isinstance(column, np.ndarray) and column.shape[1:] in ((), (1,)):
                return column.reshape(-1)
            return pd.arrays.ArrowExtensionArray(_arrow_column(self, name))

        columns = {name: series(name) for name in self}
        return pd.DataFrame(columns, index=range(len(self)), copy=False)

    def to_torch(self) -> dict[str, Any]:
        """Return tensors on the same memory, by feature name.

        A dense column of numbers is one tensor, a ragged one (values, offsets), byte strings are
        (data, value_offsets, offsets); a feature list has these for its steps, and then the offsets
        of the records.
        """
        import torch  # type: ignore[import-not-found, unused-ignore]

        tensors = {name: tuple(map(torch.from_numpy, arrays_of(self[name]))) for name in self}
        dense = {name for name in self if isinstance(self[name], np.ndarray)}
        return {name: some[0] if name in dense else some for name, some in tensors.items()}

    def __repr__(self) -> str:
        return f"Batch({self._rows} records, {self.schema!r})"


def _arrow_column(batch: Batch, name: str) -> Any:
    import pyarrow as pa

    column: Any = batch[name]
    if name not in batch.schema.names:
        return pa.array(column)
    for field in batch.schema.sequence:
        if field.name == name:
            steps = _arrow_rows(batch, field, column.values)
            return _arrow_array(pa.large_list(steps.type), len(column), column.offsets, of=steps)
    (field,) = (field for field in batch.schema.fields if field.name == name)
    return _arrow_rows(batch, field, column)


def _arrow_array(kind: Any, n: int, *buffers: np.ndarray[Any, Any], of: Any = None) -> Any:
    import pyarrow as pa

    memory = [None, *map(pa.py_buffer, buffers)]  # None: no value is null
    return pa.Array.from_buffers(kind, n, memory, children=None if of is None else [of])


def _arrow_rows(batch: Batch, field: Field, column: Any) -> Any:
    """Return a list for each row of a column that is not nested, or a value if its shape is ()."""
    import pyarrow as pa

    if hasattr(column, "value_offsets"):
        n = len(column.value_offsets) - 1
        items = _arrow_array(pa.large_binary(), n, column.value_offsets, column.data)
    else:
        values = column if isinstance(column, np.ndarray) else column.values
        items = _arrow_array(pa.from_numpy_dtype(values.dtype), values.size, values.reshape(-1))
        if field.kind == "span":
            items = _arrow_array(pa.list_(items.type, 2), values.size // 2, of=items)
    if batch.schema.shapes.get(field.name) == ():
        return items
    if field.length is not None:
        return _arrow_array(pa.list_(items.type, field.length), len(column), of=items)
    return _arrow_array(pa.large_list(items.type), len(column), column.offsets, of=items)
