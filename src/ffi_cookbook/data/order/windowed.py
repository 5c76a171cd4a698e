"""WindowedOrder: a random order that reads a few places of the files at a time."""

from __future__ import annotations

import numpy as np

from ffi_cookbook.bindings.protocol import Int64Array
from ffi_cookbook.data.order.permutation import Permutation

_BLOCKS = 16  # of a window
_SPREAD = 0x9E3779B9  # odd, so that each window has another tweak; 2**32 over the golden ratio


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
        self._n, self._block = n, -(-window // _BLOCKS)
        self._size = self._block * _BLOCKS
        self._order = Permutation(n // self._block, seed, epoch)
        self._whole = Permutation(self._size, seed, epoch, 1)
        self._last = Permutation(n % self._size, seed, epoch, 2)

    def __call__(self, places: Int64Array) -> Int64Array:
        """Return the record numbers at these places."""
        windows, within = np.divmod(places, self._size)
        last = windows == self._n // self._size
        tweaks = (windows * _SPREAD).astype(np.uint32)
        within[~last] = self._whole(within[~last], tweaks[~last])
        within[last] = self._last(within[last])
        blocks, within = np.divmod(windows * self._size + within, self._block)
        full = np.flatnonzero(blocks < self._n // self._block)
        blocks[full] = self._order(blocks[full])
        return blocks * self._block + within
