"""The merging of the most frequent pair, again and again: the second half of training.

This is the reference of the C library (c_src/bpe/train.c), which does the same with less memory.
The algorithm is that of Sennrich, Haddow and Birch, "Neural Machine Translation of Rare Words with
Subword Units" (2016), whose reference implementation also updates the counts.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from heapq import heapify, heappop, heappush, heapreplace
from itertools import pairwise

from ffi_cookbook.bindings.protocol import Int64Array

Pair = tuple[int, int]

NONE = -1  # no id: between pretokens, and within a token
BLOCK = 1 << 16  # pretokens that are Python objects at once


def merges(
    pretokens: Iterable[tuple[bytes, Int64Array]], most: int, progress: Callable[[int], None]
) -> list[Pair]:
    """Return the pairs that are merged into the ids from 256 on, in this order.

    Args:
        pretokens: texts, each with the offsets at which its pretokens end.
        most: the number of merges; there are fewer if no pairs are left.
        progress: called after each merge with the number of merges so far.
    """
    pairs, found = Pairs(count_pretokens(pretokens)), list[Pair]()
    while len(found) < most and (pair := pairs.most_frequent()):
        pairs.merge(*pair)
        found.append(pair)
        progress(len(found))
    return found


def count_pretokens(pretokens: Iterable[tuple[bytes, Int64Array]]) -> Counter[bytes]:
    """Return the number of times that each pretoken occurs."""
    counts: Counter[bytes] = Counter()
    for text, ends in pretokens:
        for first in range(0, len(ends), BLOCK):
            start = int(ends[first - 1]) if first else 0
            places = pairwise([start, *ends[first : first + BLOCK].tolist()])
            counts.update([text[a:b] for a, b in places])
    return counts


class Pairs:
    """Pretokens as ids, end to end, with the counts and places of the pairs of neighbours."""

    def __init__(self, pretokens: Counter[bytes]) -> None:
        """Take each pretoken with its count; its bytes become the ids 0 to 255."""
        self.sizes = dict.fromkeys(range(NONE, 256), 1)
        self.ids = [NONE]  # by place: at the first and the last byte of each token
        self.weights = [0]  # by place: the count of the pretoken
        for pretoken, count in pretokens.items():
            self.ids += [*pretoken, NONE]
            self.weights += [count] * (len(pretoken) + 1)
        self.counts = defaultdict[Pair, int](int)
        self.places = defaultdict[Pair, list[int]](list)  # a pair may be there no longer
        for place in range(1, len(self.ids) - 1):
            self._change(place, 1)
        self.heap = [(-count, pair) for pair, count in self.counts.items()]
        heapify(self.heap)

    def most_frequent(self) -> Pair | None:
        """Return the most frequent pair, on a tie the one with the lowest ids, or None."""
        while self.heap:
            negative, pair = self.heap[0]
            count = self.counts[pair]
            if count == -negative:
                return pair
            if count:
                heapreplace(self.heap, (-count, pair))  # listed before its count fell
            else:
                heappop(self.heap)
        return None

    def merge(self, left: int, right: int) -> None:
        """Replace every such pair by the next id, from left to right in each pretoken."""
        ids, sizes, merged = self.ids, self.sizes, len(self.sizes) + NONE
        size = sizes[left]
        sizes[merged] = size + sizes[right]
        changed = list[Pair]()
        for at in self.places.pop((left, right)):
            middle, end = at + size, at + sizes[merged]
            if ids[at] != left or ids[middle] != right:
                continue
            before = at - sizes[ids[at - 1]]
            for place in (before, at, middle):
                self._change(place, -1)
            ids[middle - 1] = ids[middle] = NONE
            ids[at] = ids[end - 1] = merged
            changed += [self._change(before, 1), self._change(at, 1)]
        for pair in {*changed}:
            if self.counts[pair]:
                heappush(self.heap, (-self.counts[pair], pair))

    def _change(self, place: int, sign: int) -> Pair:
        """Add the pair that begins at a place, or remove it, and return it."""
        left = self.ids[place]
        pair = left, self.ids[place + self.sizes[left]]
        if NONE not in pair:
            self.counts[pair] += sign * self.weights[place]
            if sign > 0:
                self.places[pair].append(place)
        return pair
