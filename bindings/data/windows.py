"""WindowedOrder: a random order that reads a few places of the files at a time."""

from __future__ import annotations

import numpy as np

from bindings.data.permutation import Permutation
from bindings.protocol import Int64Array

_BLOCKS = 16  # of a window


class WindowedOrder:
    """What maps the places of an epoch to record numbers, window by window.

    The files are cut into blocks of consecutive records, whose order is random. A window is 16 of
    these blocks, and the order of its records is random. Here with windows of 2 blocks:

        blocks      0 1 2 | 3 4 5 | 6 7 8 | 9 10 11 | 12 13
        in order    9 10 11   3 4 5 | 0 1 2   6 7 8 | 12 13    a block that is smaller is the last
        windows     4 11 9 3 10 5   | 6 2 0 8 1 7   | 13 12

    Args:
        n: the number of records.
        window: the number of records of a window, rounded up to whole blocks.
        seed, epoch: what the order is made of.
    """

    def __init__(self, n: int, window: int, seed: int, epoch: int) -> None:
        self._n, self._key, self._block = n, (seed, epoch), -(-window // _BLOCKS)
        self._order = Permutation(n // self._block, *self._key)

    def __call__(self, places: Int64Array) -> Int64Array:
        """Return the record numbers at these places."""
        size = self._block * _BLOCKS
        windows, found = places // size, np.empty_like(places)
        for number in np.unique(windows).tolist():
            here, start = np.flatnonzero(windows == number), number * size
            inner = Permutation(min(size, self._n - start), *self._key, number)
            found[here] = start + inner(places[here] - start)
        blocks, within = np.divmod(found, self._block)
        full = np.flatnonzero(blocks < self._n // self._block)
        blocks[full] = self._order(blocks[full])
        return blocks * self._block + within
