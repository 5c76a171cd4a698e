"""Some rows of a batch as a batch of their own, on the same memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from ffi_cookbook.records import Batch, Ragged, RaggedBytes
from ffi_cookbook.records.columns.ragged import Column


def split(batch: Batch, sizes: Iterable[int]) -> Iterator[Batch]:
    """Yield the rows of a batch as batches of these sizes, whose offsets begin at 0 again."""
    start = 0
    for size in sizes:
        end = start + size
        columns = {name: _rows(column, start, end) for name, column in batch.items()}
        yield Batch(batch.schema, columns, size)
        start = end


def _rows(column: Column, start: int, end: int) -> Column:
    if isinstance(column, np.ndarray):
        return column[start:end]
    offsets = column.offsets[start : end + 1]
    first, last = int(offsets[0]), int(offsets[-1])
    if isinstance(column, Ragged):
        return Ragged(_rows(column.values, first, last), offsets - first)
    strings = column.value_offsets[first : last + 1]
    return RaggedBytes(column.data[strings[0] : strings[-1]], strings - strings[0], offsets - first)
