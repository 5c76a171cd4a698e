"""Maker: batches as a thread makes them, several small ones at once."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from ffi_cookbook.bindings.errors import RecordError
from ffi_cookbook.data.order.plan import Part, State, records_of
from ffi_cookbook.data.records.dataset import RecordDataset
from ffi_cookbook.data.stream.batch import StreamBatch
from ffi_cookbook.data.stream.metrics import clock
from ffi_cookbook.records import Batch, Ragged, RaggedBytes
from ffi_cookbook.records.columns.ragged import Column


class Made(NamedTuple):
    """A batch and what it cost; the seconds are those of one thread."""

    state: State
    value: Any
    records: int
    bytes: int
    lost: int
    reading: float
    collating: float


class Maker:
    """Reads batches and calls `collate`, in any number of threads.

    Args:
        read: returns an iterator of the batches of some parts, each with `len` and `nbytes`.
        collate: what is called with each batch, or None.

    Attributes:
        pace: the fewest seconds that a batch has taken; a busy machine does not change them.
    """

    def __init__(
        self, read: Callable[[list[Part]], Iterator[Any]], collate: Callable[[Any], Any] | None
    ) -> None:
        self._read, self._collate = read, collate
        self.pace = math.inf

    def make(self, parts: list[Part]) -> Iterator[Made]:
        """Yield the batches of some parts."""
        start = clock()
        for batch, (numbers, state) in zip(self._read(parts), parts, strict=True):
            read = clock()
            value = self._collate(batch) if self._collate else batch
            end, lost = clock(), len(numbers) - len(batch)
            self.pace = min(self.pace, end - start)
            yield Made(state, value, len(batch), batch.nbytes, lost, read - start, end - read)
            start = clock()


def read_records(dataset: RecordDataset, parts: list[Part]) -> Iterator[StreamBatch]:
    """Yield the batches, decoded with one call; one by one where there is a bad record."""
    numbers = [one for one, _ in parts]
    try:
        whole, _ = dataset.gather(records_of(np.concatenate(numbers)), "raise")
    except RecordError:
        for one, state in parts:
            batch, good = dataset.gather(records_of(one))
            yield StreamBatch(batch, state, one[np.isin(records_of(one), good)] >= 0)
        return
    for batch, (one, state) in zip(split(whole, map(len, numbers)), parts, strict=True):
        yield StreamBatch(batch, state, one >= 0)


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
