"""Mixture: records of several data sets in fixed proportions."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from fractions import Fraction
from numbers import Rational
from typing import Any

import numpy as np

from bindings.data.dataset import RecordDataset
from bindings.data.permutation import Permutation
from bindings.protocol import Int64Array


class Mixture:
    """Records of several data sets in fixed proportions, as the source of a RecordStream.

        mixture = Mixture([articles, code], weights=[3, 1])
        RecordStream(mixture, batch_size=256, shuffle=True)

    Every epoch has exactly `counts[i]` records of data set i, in random order if the stream
    shuffles, otherwise one data set after the other. Of a data set that is larger than its part,
    a shuffled epoch has a random choice.

    Args:
        datasets: with the same schema; the other options are those of the first.
        weights: how many records of each there are, in relation to the others.
        repeat: False ends an epoch before any record comes twice, True when every record has come.

    Attributes:
        dataset: the records of all data sets, one after the other.
        counts: the number of records of each data set in an epoch.
    """

    def __init__(
        self, datasets: Iterable[RecordDataset], weights: Iterable[float], *, repeat: bool = False
    ) -> None:
        parts, shares = list(datasets), list(map(_fraction, weights))
        if not parts or len(parts) != len(shares):
            raise ValueError(f"weights must be one for each data set, not {len(shares)}")
        for part in parts:
            if not isinstance(part, RecordDataset):
                raise TypeError(f"datasets must be RecordDatasets, not {type(part).__name__}")
            if part.schema != parts[0].schema:
                raise ValueError("datasets must have the same schema")
            if not len(part):
                raise ValueError("datasets must not be empty")
        self.dataset = parts[0].joined(parts[1:])
        self._sizes = [len(part) for part in parts]
        epochs = [size / share for size, share in zip(self._sizes, shares, strict=True)]
        # Of a data set that decides how long an epoch is, this is its size exactly.
        length = max(epochs) if repeat else min(epochs)
        whole = math.ceil if repeat else math.floor
        self.counts = [whole(length * share) for share in shares]
        if sum(self.counts) >= 2**62:
            raise ValueError(f"weights: an epoch would have {sum(self.counts)} records")

    def __len__(self) -> int:
        return sum(self.counts)

    def about(self) -> dict[str, Any]:
        """Return what makes the order another one, for the state of a stream."""
        return {"mixed": [self._sizes, self.counts]}

    def order(self, seed: int, epoch: int, shuffle: bool) -> Callable[[Int64Array], Int64Array]:
        """Return the function from places of an epoch to record numbers of `dataset`."""
        whole = Permutation(len(self), seed, epoch) if shuffle else None
        inner = [Permutation(size, seed, epoch, i) for i, size in enumerate(self._sizes)]
        ends, first = np.cumsum(self.counts), np.cumsum([0, *self._sizes])

        def numbers(places: Int64Array) -> Int64Array:
            slots = whole(places) if whole else places
            owner = np.searchsorted(ends, slots, "right")
            found = np.empty_like(slots)
            for i, size in enumerate(self._sizes):
                mine = np.flatnonzero(owner == i)
                place = (slots[mine] - (ends[i] - self.counts[i])) % size
                found[mine] = first[i] + (inner[i](place) if shuffle else place)
            return found

        return numbers


def _fraction(weight: Any) -> Fraction:
    """Return a weight, exactly."""
    if not isinstance(weight, Rational):
        weight = float(weight)
        if not math.isfinite(weight):
            raise ValueError(f"weights must be finite, not {weight}")
    if weight <= 0:
        raise ValueError(f"weights must be positive, not {float(weight)}")
    return Fraction(weight)
