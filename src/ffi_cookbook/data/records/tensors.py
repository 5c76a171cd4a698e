"""Batches as a model takes them: dense tensors, padded or ragged."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import numpy as np

from ffi_cookbook.records import Batch
from ffi_cookbook.records.columns.ragged import in_range


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
        pad: the ragged columns and feature lists to return as (tensor, mask), see `padded`; a
            mapping gives the value that each of them is padded with.
        dtypes: the dtype of a column's values, as torch's or by name: {"ids": "int64"} for an
            nn.Embedding, where the schema has "uint16". Values are converted as by `Tensor.to`, but
            integers must fit an integer dtype.

    Raises:
        KeyError: `pad` or `dtypes` has a name that the batch does not have.
        TypeError: `batch` is not a Batch; `pad` has a column of dense numbers, or is a str; or
            torch has no such dtype.
        ValueError: an integer dtype cannot hold the value that a column is padded with, or a float
            dtype would make it infinite; or `dtypes` has an integer dtype that cannot hold an
            integer of the column.
    """
    import torch  # type: ignore[import-not-found, unused-ignore]

    if not isinstance(batch, Batch):
        raise TypeError(
            f"batch must be a Batch, not {type(batch).__name__}: "
            "a Trainer of Hugging Face gives one with remove_unused_columns=False"
        )
    fills = dict(pad) if isinstance(pad, Mapping) else dict.fromkeys(pad, 0)
    if isinstance(pad, str):
        raise TypeError("pad must be a collection of names, not a str")
    casts = {
        name: getattr(torch, str(one).removeprefix("torch."), one)
        for name, one in (dtypes or {}).items()
    }
    for name, dtype in casts.items():
        if not isinstance(dtype, torch.dtype):
            raise TypeError(f"dtypes: {dtype!r} of column {name!r} is not a dtype of torch")
    for name in (*fills, *casts):
        if name not in batch:
            raise KeyError(f"the batch has no column {name!r}")
    for name in fills:
        if isinstance(batch[name], np.ndarray):
            raise TypeError(f"pad: column {name!r} is dense numbers, which need no padding")
    tensors: dict[str, Any] = batch.to_torch()
    for name, value in tensors.items():
        parts = value if isinstance(value, tuple) else (value,)
        if name in fills:
            _check_fill(name, fills[name], casts.get(name, parts[0].dtype))
            fill = 0 if name in casts else fills[name]
            parts = tuple(map(torch.from_numpy, batch.padded(name, fill)))
        if name in casts:
            _check_cast(name, parts[0], casts[name])
            parts = parts[0].to(casts[name]), *parts[1:]
            if name in fills:
                empty = ~parts[1].reshape(parts[1].shape + (1,) * (parts[0].ndim - parts[1].ndim))
                parts[0].masked_fill_(empty, fills[name])
        tensors[name] = parts if isinstance(value, tuple) else parts[0]
    return tensors


def _check_fill(name: str, fill: Any, dtype: Any) -> None:
    """Raise ValueError if a dtype of torch cannot hold a value; a float may be rounded."""
    if dtype.is_complex:
        return
    if not in_range(fill, *_range_of(dtype), dtype.is_floating_point):
        raise ValueError(f"pad: column {name!r} is of {dtype}, which cannot hold {fill}")


def _check_cast(name: str, values: Any, dtype: Any) -> None:
    """Raise ValueError if values are integers and one of them does not fit an integer dtype."""
    import torch

    if values.dtype.is_floating_point or dtype.is_floating_point or not values.numel():
        return
    if dtype.is_complex or dtype == torch.bool:  # a bool says whether a number is not 0
        return
    lowest, highest = _range_of(dtype)
    least, most = _range_of(values.dtype)
    if lowest <= least and most <= highest:
        return
    array = values.numpy()
    for value in (int(array.min()), int(array.max())):
        if not lowest <= value <= highest:
            raise ValueError(f"dtypes: {dtype} of column {name!r} cannot hold {value}")


def _range_of(dtype: Any) -> tuple[Any, Any]:
    """Return the least and the greatest number of a dtype of torch."""
    import torch

    if dtype == torch.bool:
        return 0, 1
    info = (torch.finfo if dtype.is_floating_point else torch.iinfo)(dtype)
    return info.min, info.max
