"""A batch as Arrow and as torch see it: the same memory under another description."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from bindings.records.batch import Batch, Column
    from bindings.records.schema import Field


def to_arrow(batch: Batch) -> Any:
    """See `Batch.to_arrow`."""
    import pyarrow as pa  # type: ignore[import-not-found, import-untyped, unused-ignore]

    columns = [_arrow_column(field, batch[field.name], len(batch)) for field in batch.schema.fields]
    fields = [pa.field(*pair) for pair in zip(batch, (c.type for c in columns), strict=True)]
    if not columns:
        return pa.RecordBatch.from_struct_array(pa.array([{}] * len(batch), pa.struct([])))
    return pa.RecordBatch.from_arrays(columns, schema=pa.schema(fields))


def _arrow_column(field: Field, column: Any, rows: int) -> Any:
    import pyarrow as pa

    def array(kind: Any, n: int, *buffers: np.ndarray[Any, Any], children: Any = None) -> Any:
        memory = [None, *map(pa.py_buffer, buffers)]  # None: no value is null
        return pa.Array.from_buffers(kind, n, memory, children=children)

    if hasattr(column, "value_offsets"):
        n = len(column.value_offsets) - 1
        items = array(pa.large_binary(), n, column.value_offsets, column.data)
    else:
        values = column if isinstance(column, np.ndarray) else column.values
        items = array(pa.from_numpy_dtype(values.dtype), values.size, values.reshape(-1))
        if field.kind == "span":
            items = array(pa.list_(items.type, 2), values.size // 2, children=[items])
    if field.length is not None:
        return array(pa.list_(items.type, field.length), rows, children=[items])
    return array(pa.large_list(items.type), rows, column.offsets, children=[items])


def to_pandas(batch: Batch) -> Any:
    """See `Batch.to_pandas`."""
    import pandas as pd  # type: ignore[import-not-found, import-untyped, unused-ignore]

    def series(field: Field) -> Any:
        column = batch[field.name]
        if isinstance(column, np.ndarray) and column.shape[1:] == (1,):
            return column[:, 0]
        return pd.arrays.ArrowExtensionArray(_arrow_column(field, column, len(batch)))

    columns = {field.name: series(field) for field in batch.schema.fields}
    return pd.DataFrame(columns, index=range(len(batch)), copy=False)


def to_torch(batch: Batch) -> dict[str, Any]:
    """See `Batch.to_torch`."""
    import torch  # type: ignore[import-not-found, unused-ignore]

    def tensors(column: Column) -> Any:
        if isinstance(column, np.ndarray):
            return torch.from_numpy(column)
        names = type(column).__match_args__  # the arrays of the dataclass, in order
        return tuple(torch.from_numpy(getattr(column, name)) for name in names)

    return {name: tensors(column) for name, column in batch.items()}
