"""Batches as a model takes them: dense tensors, padded or ragged."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from bindings.records import Batch, Ragged
from bindings.records.ragged import padded


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
