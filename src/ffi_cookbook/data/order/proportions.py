"""Proportions: how many items of several sources an epoch has, and in which order."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import count
from numbers import Rational
from typing import Any

import numpy as np

from ffi_cookbook.bindings.protocol import Int64Array
from ffi_cookbook.data.order.permutation import LARGEST, Permutation


class Proportions:
    """The items of several sources in fixed proportions, numbered source after source.

    Args:
        sizes: the number of items of each source, all positive.
        weights: the relative numbers of items of the sources.
        repeat: False ends an epoch before any item comes twice, True when every item has come.

    Attributes:
        counts: the number of items of each source in an epoch.

    Raises:
        ValueError: a weight that is not positive and finite, an epoch with too many items, or one
            without any item of a source.
    """

    def __init__(self, sizes: Sequence[int], weights: Iterable[float], repeat: bool) -> None:
        self._sizes, shares = list(sizes), list(map(_fraction, weights))
        epochs = [size / share for size, share in zip(self._sizes, shares, strict=True)]
        # For a source that decides how long an epoch is, this is exactly its size.
        length = max(epochs) if repeat else min(epochs)
        whole = math.ceil if repeat else math.floor
        self.counts = [whole(length * share) for share in shares]
        if 0 in self.counts:
            raise ValueError(
                f"weights[{self.counts.index(0)}] is too small: an epoch would have nothing of "
                "this source, unless repeat is True"
            )
        if sum(self.counts) > LARGEST:
            raise ValueError(f"weights: an epoch would have {sum(self.counts)} records")

    def __len__(self) -> int:
        return sum(self.counts)

    def about(self) -> dict[str, Any]:
        """Return the settings that change the order, for the state of a stream."""
        return {"mixed": [self._sizes, self.counts]}

    def order(self, seed: int, epoch: int, shuffle: bool) -> Callable[[Int64Array], Int64Array]:
        """Return the function from places of an epoch to item numbers."""
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
    """Return a rational weight exactly, and a float as a short fraction that rounds to it."""
    kind = type(weight) if isinstance(weight, np.float16 | np.float32) else float
    if isinstance(weight, np.generic):
        weight = weight.item()  # NumPy's integers would overflow
    if not isinstance(weight, Rational):
        weight = float(weight)
        if not math.isfinite(weight):
            raise ValueError(f"weights must be finite, not {weight}")
    if weight <= 0:
        raise ValueError(f"weights must be positive, not {float(weight)}")
    exact = Fraction(weight)
    if isinstance(weight, Rational):
        return exact
    # 0.7 is slightly less than 7/10: of 700 items, a weight of 0.7 would leave one out.
    short = (exact.limit_denominator(10**digits) for digits in count())
    return next(one for one in short if kind(float(one)) == kind(weight))
