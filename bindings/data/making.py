"""Maker: batches as a thread makes them, several small ones at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import numpy as np

from bindings.data.batch import StreamBatch
from bindings.data.dataset import RecordDataset
from bindings.data.plan import Part, State
from bindings.data.prefetching import Job
from bindings.data.slicing import split
from bindings.errors import RecordError
from bindings.protocol import Int64Array

Made: TypeAlias = tuple[State, Any]
"""The state behind a batch, and the batch, or what `collate` made of it."""


def jobs(
    parts: Iterator[Part], sizes: Callable[[Int64Array], Int64Array], most: int, limit: int
) -> Iterator[Job]:
    """Yield what is read at once: up to `most` batches, while they have less than `limit` bytes."""
    some, n_bytes = list[Part](), 0
    for part in parts:
        some.append(part)
        n_bytes += int(sizes(part[0]).sum())
        if len(some) == most or n_bytes >= limit:
            yield Job(n_bytes, some)
            some, n_bytes = [], 0
    if some:
        yield Job(n_bytes, some)


class Maker:
    """What reads batches and calls `collate`, in any number of threads."""

    def __init__(
        self, dataset: RecordDataset, collate: Callable[[StreamBatch], Any] | None
    ) -> None:
        self._dataset, self._collate = dataset, collate

    def all_at_once(self, parts: list[Part]) -> tuple[int, tuple[list[Made], BaseException | None]]:
        """Return the size in bytes of some batches, these batches, and what was raised then."""
        made, error, n_bytes = list[Made](), None, 0
        try:
            for state, value, size in self.one_by_one(parts):
                made.append((state, value))
                n_bytes += size
        except BaseException as raised:
            error = raised
        return n_bytes, (made, error)

    def one_by_one(self, parts: list[Part]) -> Iterator[tuple[State, Any, int]]:
        """Yield the state, the value and the size in bytes of each batch."""
        for batch in self._read(parts):
            value = self._collate(batch) if self._collate else batch
            yield batch.state, value, batch.nbytes

    def _read(self, parts: list[Part]) -> Iterator[StreamBatch]:
        """Yield the batches, decoded with one call; one by one where there is a bad record."""
        numbers, states = zip(*parts, strict=True)
        try:
            whole = self._dataset.gather(np.concatenate(numbers), "raise")
        except RecordError:
            for one, state in parts:
                yield StreamBatch(self._dataset.gather(one), state)
            return
        for batch, state in zip(split(whole, map(len, numbers)), states, strict=True):
            yield StreamBatch(batch, state)
