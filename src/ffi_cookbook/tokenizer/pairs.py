"""The merging of the most frequent pair, again and again: the second half of training.

All pretokens lie end to end in one array of ids, linked in both directions, so that a merge takes a
few operations at the places of its pair and touches nothing else. Pairs are counted once; a merge
then changes the counts of the pairs beside it. The algorithm is that of Sennrich, Haddow and Birch,
"Neural Machine Translation of Rare Words with Subword Units" (2016), whose reference implementation
also updates the counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from heapq import heappop, heappush, heapreplace

import numpy as np
import numpy.typing as npt

Ids = npt.NDArray[np.int64]
Places = npt.NDArray[np.int64]

NONE = -1  # no id: before and after a pretoken, and in place of an id that a merge has removed


class Pairs:
    """Pretokens as ids, with their counts, and the pairs of neighbours among them.

    A pair is one number, left << 32 | right.
    """

    def __init__(self, pieces: Mapping[bytes, int]) -> None:
        """Take each pretoken with its count; its bytes become the ids 0 to 255."""
        data = np.frombuffer(b"".join(pieces), np.uint8)
        sizes = np.fromiter(map(len, pieces), np.int64, len(pieces))
        # The place before each pretoken, and the one after the last, have no id.
        self.ids: Ids = np.full(len(data) + len(sizes) + 1, NONE, np.int64)
        within = np.ones(len(self.ids), bool)
        within[np.concatenate([[0], np.cumsum(sizes + 1)])] = False
        self.ids[within] = data
        self.after: Places = np.arange(1, len(self.ids) + 1)
        self.before: Places = np.arange(-1, len(self.ids) - 1)
        self.weight = np.zeros(len(self.ids), np.int64)
        self.weight[within] = np.repeat(np.fromiter(pieces.values(), np.int64, len(sizes)), sizes)
        self.places = {byte: np.flatnonzero(self.ids == byte) for byte in range(256)}
        self.counts: dict[int, int] = {}
        self.heap: list[tuple[int, int]] = []
        lefts = np.flatnonzero(within[:-1] & within[1:])
        self._change(self._pairs(lefts), self.weight[lefts])

    def most_frequent(self) -> tuple[int, int] | None:
        """Return the most frequent pair, on a tie the one with the lowest ids, or None."""
        while self.heap:
            negative, pair = self.heap[0]
            count = self.counts.get(pair, 0)
            if count == -negative:
                return pair >> 32, pair & 0xFFFFFFFF
            if count:
                heapreplace(self.heap, (-count, pair))  # listed before its count fell
            else:
                heappop(self.heap)
        return None

    def merge(self, left: int, right: int, merged: int) -> None:
        """Replace every such pair by `merged`, a new id, from left to right in each pretoken."""
        first = self._find(left, right)
        second = self.after[first]
        before, behind = self.before[first], self.after[second]
        inner = self.ids[behind] != NONE
        self.ids[second] = NONE
        before = before[self.ids[before] != NONE]  # a pair between two merges is lost only once
        self.ids[second] = right
        lost = np.concatenate([before, first, second[inner]])
        lost_pairs = self._pairs(lost)

        self.ids[first] = merged
        self.ids[second] = NONE
        self.after[first] = behind
        self.before[behind] = first
        self.places[merged] = first

        won = np.concatenate([before, first[inner]])
        self._change(
            np.concatenate([lost_pairs, self._pairs(won)]),
            np.concatenate([-self.weight[lost], self.weight[won]]),
        )

    def _pairs(self, lefts: Places) -> Ids:
        pairs: Ids = self.ids[lefts] << 32 | self.ids[self.after[lefts]]
        return pairs

    def _find(self, left: int, right: int) -> Places:
        """Return the left places of a pair, without those that overlap."""
        lefts: Places
        if len(self.places[left]) <= len(self.places[right]):
            lefts = self._still(left)
            lefts = lefts[self.ids[self.after[lefts]] == right]
        else:
            lefts = self.before[self._still(right)]
            lefts = lefts[self.ids[lefts] == left]
        if left == right:
            number = np.arange(len(lefts))
            alone = np.append(True, self.after[lefts[:-1]] != lefts[1:])
            lefts = lefts[(number - np.maximum.accumulate(number * alone)) % 2 == 0]
        return lefts

    def _still(self, token: int) -> Places:
        """Return the places that still have a token, among all places that ever had it."""
        ever = self.places[token]
        still: Places = ever[self.ids[ever] == token]
        self.places[token] = still
        return still

    def _change(self, pairs: Ids, amounts: npt.NDArray[np.int64]) -> None:
        """Add amounts to the counts of pairs, each of which may occur several times."""
        order = np.argsort(pairs)
        pairs = pairs[order]
        begins = np.flatnonzero(np.append(True, pairs[1:] != pairs[:-1]))[: len(pairs)]
        sums = np.add.reduceat(amounts[order], begins) if len(pairs) else amounts
        counts = self.counts
        for pair, amount in zip(pairs[begins].tolist(), sums.tolist(), strict=True):
            count = counts.get(pair, 0) + amount
            if not count:
                counts.pop(pair, None)
                continue
            counts[pair] = count
            if amount > 0:
                heappush(self.heap, (-count, pair))
