"""Progressions: a sequence of integers described by a few arithmetic progressions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate

import numpy as np

from bindings.protocol import Int64Array


class Progressions:
    """The terms of (start, step, count), one progression after the other.

    The places of an epoch that are still to come have this form: at first they are (0, 1, n); when
    some shares of it have been read to different depths, a progression is left of each share.
    """

    def __init__(self, parts: Iterable[Sequence[int]]) -> None:
        self.parts = [(start, step, count) for start, step, count in parts if count > 0]
        self._ends = np.array(list(accumulate(count for _, _, count in self.parts)), np.int64)

    def __len__(self) -> int:
        return int(self._ends[-1]) if self.parts else 0

    def at(self, indices: Int64Array) -> Int64Array:
        """Return the terms at these indices."""
        if not len(indices):
            return indices
        if len(self.parts) == 1:
            start, step, _ = self.parts[0]
            return start + step * indices
        starts, steps, counts = np.array(self.parts, np.int64).T
        part = np.searchsorted(self._ends, indices, "right")
        terms: Int64Array = starts[part] + steps[part] * (indices - (self._ends - counts)[part])
        return terms

    def every(self, first: int, end: int, step: int) -> Progressions:
        """Return the terms at range(first, end, step)."""
        parts, before = [], 0
        for start, by, count in self.parts:
            chosen = range(first, end, step)
            low = max(0, -(-(before - first) // step))  # the first item of the range that is here
            high = max(0, -(-(before + count - first) // step))
            here = chosen[low:high]
            if here:
                parts.append((start + by * (here[0] - before), by * step, len(here)))
            before += count
        return Progressions(parts)

    def rest(self, taken: Sequence[int]) -> Progressions:
        """Return what is left when share i of len(taken) has taken its first taken[i] terms.

        Share i has the terms at i, i + shares, i + 2 * shares and so on.
        """
        shares, total = len(taken), len(self)
        even = min(max(taken) * shares, total)  # from here on, no share has taken anything
        late = [self.every(i + n * shares, even, shares) for i, n in enumerate(taken)]
        return Progressions(
            part for some in (*late, self.every(even, total, 1)) for part in some.parts
        )
