"""A batch as Arrow, pandas and torch see it: the same memory under another description."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Protocol

import numpy as np

from ffi_cookbook.records.columns.fields import Field
from ffi_cookbook.records.columns.ragged import Column
from ffi_cookbook.records.columns.schema import Schema


class Columns(Protocol):
    """What is used of a `Batch`."""

    @property
    def schema(self) -> Schema:
        """The features."""

    def items(self) -> Iterable[tuple[str, Column]]:
        """Return the columns by name."""

    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[str]: ...
    def __getitem__(self, name: str) -> Column: ...


def to_arrow(batch: Columns) -> Any:
    """See `Batch.to_arrow`."""
    import pyarrow as pa  # type: ignore[import-not-found, import-untyped, unused-ignore]

    columns = [_arrow_column(batch, name) for name in batch]
    fields = [pa.field(*pair) for pair in zip(batch, (c.type for c in columns), strict=True)]
    if not columns:
        return pa.RecordBatch.from_struct_array(pa.array([{}] * len(batch), pa.struct([])))
    return pa.RecordBatch.from_arrays(columns, schema=pa.schema(fields))


def _arrow_column(batch: Columns, name: str) -> Any:
    import pyarrow as pa

    column: Any = batch[name]
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


def _arrow_rows(batch: Columns, field: Field, column: Any) -> Any:
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


def to_pandas(batch: Columns) -> Any:
    """See `Batch.to_pandas`."""
    import pandas as pd  # type: ignore[import-not-found, import-untyped, unused-ignore]

    def series(name: str) -> Any:
        column = batch[name]
        if isinstance(column, np.ndarray) and column.shape[1:] in ((), (1,)):
            return column.reshape(-1)
        return pd.arrays.ArrowExtensionArray(_arrow_column(batch, name))

    columns = {name: series(name) for name in batch}
    return pd.DataFrame(columns, index=range(len(batch)), copy=False)


def to_torch(batch: Columns) -> dict[str, Any]:
    """See `Batch.to_torch`."""
    import torch  # type: ignore[import-not-found, unused-ignore]

    def tensors(column: Column) -> list[Any]:
        if isinstance(column, np.ndarray):
            return [torch.from_numpy(column)]
        names = type(column).__match_args__  # the parts of the dataclass, in order
        return [tensor for name in names for tensor in tensors(getattr(column, name))]

    return {
        name: tensors(column)[0] if isinstance(column, np.ndarray) else tuple(tensors(column))
        for name, column in batch.items()
    }
