"""Progressions: a sequence of integers described by a few arithmetic progressions."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import accumulate

import numpy as np

from ffi_cookbook.bindings.protocol import Int64Array


class Progressions:
    """The terms of (start, step, count), one progression after the other.

    A single term has the step 1, whatever step is given. The places of an epoch that are still to
    come have this form: at first they are (0, 1, n); when some shares of it have been read to
    different depths, a progression is left of each share.
    """

    def __init__(self, parts: Iterable[Sequence[int]]) -> None:
        self.parts = [
            (start, step if count > 1 else 1, count) for start, step, count in parts if count > 0
        ]
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

    def repeats(self) -> bool:
        """Return True if two of the progressions have a term in common."""
        if len(self.parts) < 2:
            return False
        starts, steps, counts = np.array(self.parts, np.int64).T
        ends = starts + steps * (counts - 1)
        for i, part in enumerate(self.parts):
            later = slice(i + 1, None)
            overlap = (starts[later] <= ends[i]) & (ends[later] >= starts[i])
            alike = (starts[later] - starts[i]) % np.gcd(steps[later], steps[i]) == 0
            near = i + 1 + np.flatnonzero(overlap & alike)
            if any(_meet(part, self.parts[other]) for other in near.tolist()):
                return True
        return False

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


def _meet(one: Sequence[int], other: Sequence[int]) -> bool:
    """Return True if two progressions have a common term.

    The greatest common divisor of their steps must divide the difference of their starts: then
    there are common terms of the endless progressions, by the Chinese remainder theorem.
    """
    (start, step, count), (begin, by, n) = one, other
    divisor = math.gcd(step, by)
    index = (begin - start) // divisor * pow(step // divisor, -1, by // divisor)
    common, period = start + index * step, step // divisor * by
    lowest = max(start, begin)
    first = lowest + (common - lowest) % period
    return first <= min(start + step * (count - 1), begin + by * (n - 1))
