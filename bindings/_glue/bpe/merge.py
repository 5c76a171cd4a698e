"""The merge loop: step 3 of docs/tokenizer.md, "Encoding"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from heapq import heappop, heappush

GONE = -1

Pairs = Mapping[int, tuple[int, int]]
"""Maps left << 32 | right to (rank, id)."""


def merge(piece: Sequence[int], pairs: Pairs) -> list[int]:
    """Merge the adjacent pair of lowest rank, the leftmost on a tie, until none can merge.

    O(n log n): a heap of candidates over a linked list of ids. A merge leaves stale candidates in
    the heap; they are recognised by ids that are no longer there.
    """
    n = len(piece)
    ids = list(piece)
    before, after = list(range(-1, n - 1)), list(range(1, n + 1))
    heap: list[tuple[int, int, int, int, int]] = []

    def offer(at: int) -> None:
        if at < 0 or after[at] == n:
            return
        left, right = ids[at], ids[after[at]]
        if found := pairs.get(left << 32 | right):
            rank, merged = found
            heappush(heap, (rank, at, left, right, merged))

    for at in range(n):
        offer(at)
    while heap:
        _, at, left, right, merged = heappop(heap)
        second = after[at]
        if ids[at] != left or second == n or ids[second] != right:
            continue
        ids[at], ids[second] = merged, GONE
        after[at] = after[second]
        if after[at] < n:
            before[after[at]] = at
        offer(before[at])
        offer(at)
    return [token_id for token_id in ids if token_id != GONE]
