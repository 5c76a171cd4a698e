"""Batches as a model takes them: dense tensors, padded or ragged."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from bindings.records import Batch, Ragged


def padded(column: Ragged, fill: Any = 0) -> tuple[npt.NDArray[Any], npt.NDArray[np.bool_]]:
    """Return a ragged column of numbers as a matrix, and a mask of the same shape.

    The matrix has a row for each of the column, filled up to the longest row with `fill`; the mask
    is True where there is a value.
    """
    values, offsets = column.values, column.offsets
    if not isinstance(values, np.ndarray) or values.ndim != 1:
        raise TypeError("column must be a Ragged of numbers, one value beside the other")
    sizes = np.diff(offsets)
    mask = np.arange(sizes.max(initial=0)) < sizes[:, None]
    matrix = np.full(mask.shape, fill, values.dtype)
    matrix[mask] = values[offsets[0] : offsets[-1]]
    return matrix, mask


def to_torch(
    batch: Batch,
    *,
    pad: Collection[str] | Mapping[str, Any] = (),
    dtypes: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return a batch as tensors by feature name: a `collate_fn`, also of a RecordStream.

    A dense column is a tensor of shape (records, *shape), a ragged one (values, offsets), byte
    strings (data, value_offsets, offsets), as from `Batch.to_torch`, whose memory they share.

    Args:
        batch: what `RecordDataset` and `RecordStream` give.
        pad: the ragged columns that are to be (matrix, mask), see `padded`; as a mapping, with the
            value to fill each of them up with.
        dtypes: the dtype of a column's values, as torch's or by name: {"ids": "int64"} for an
            nn.Embedding, where the schema has "uint16".

    Raises:
        KeyError: `pad` or `dtypes` has a name that the batch does not have.
    """
    import torch  # type: ignore[import-not-found, unused-ignore]

    fills = dict(pad) if isinstance(pad, Mapping) else dict.fromkeys(pad, 0)
    casts = dict(dtypes or {})
    for name in (*fills, *casts):
        if name not in batch:
            raise KeyError(f"the batch has no column {name!r}")
    tensors: dict[str, Any] = batch.to_torch()
    for name, fill in fills.items():
        column: Any = batch[name]
        if not isinstance(column, Ragged):
            raise TypeError(f"pad: column {name!r} is not a Ragged of numbers")
        tensors[name] = tuple(map(torch.from_numpy, padded(column, fill)))
    for name, dtype in casts.items():
        wanted = getattr(torch, dtype) if isinstance(dtype, str) else dtype
        value = tensors[name]
        if isinstance(value, tuple):
            tensors[name] = value[0].to(wanted), *value[1:]
        else:
            tensors[name] = value.to(wanted)
    return tensors
