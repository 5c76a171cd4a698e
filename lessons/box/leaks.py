"""The search for leaks: what is left behind by each of many calls.

All that `searcher` calls is bound before the learner's code is loaded, and the built-in functions
are copied: what that code replaces in a module has no effect here.
"""

from __future__ import annotations

import builtins
import gc
import sys
import time
from array import array
from collections.abc import Callable
from itertools import pairwise
from typing import Any

__builtins__ = dict(vars(builtins))

WARM_UP = 5
PASSES = 9
"""The most passes of a search."""

Search = Callable[..., list[Any]]


def searcher(
    heap: Callable[[], int],
    blocks: Callable[[], int] = sys.getallocatedblocks,
    collect: Callable[[], object] = gc.collect,
) -> Search:
    """Return the search; the functions count the bytes and blocks in use, and collect garbage."""
    references, sleep, disable, enable = sys.getrefcount, time.sleep, gc.disable, gc.enable
    counts_of, pairs, warm_up = array, pairwise, WARM_UP

    def growth(heaps: list[int]) -> tuple[int, int]:
        """Return the mean growth of the heap in a pass, and the second largest growth of a pass.

        `heaps` are the bytes in use before the first pass and after each. A vector that is never
        emptied doubles its memory: the least growth of a pass is 0, but several passes add to it.
        The first two passes are left out, since they also fill the caches of malloc.
        """
        steps = [after - before for before, after in pairs(heaps[min(2, len(heaps) - 2) :])]
        return sum(steps) // len(steps), sorted(steps)[-2:][0]

    def run(called: Callable[[], object], times: int) -> None:
        for _ in range(times):
            try:  # noqa: SIM105  (the learner's code can replace contextlib.suppress)
                called()
            except Exception:
                pass

    def grown(called: Callable[[], object], repeat: int, objects: list[Any]) -> list[int]:
        # An array, since a list would hold references to small integers, which may be watched.
        counts = counts_of("q", map(references, objects))
        before = blocks()
        run(called, repeat)
        more = blocks() - before
        collect()
        more = min(more, blocks() - before)
        after = counts_of("q", map(references, objects))
        return [more, *(now - n for now, n in zip(after, counts, strict=True))]

    def settled(before: int, repeat: int) -> int:
        now = heap()
        for _ in range(5):  # a thread that was joined may not have freed its memory yet
            if now - before < repeat:
                break
            sleep(0.01)
            now = heap()
        return now

    def search(
        called: Callable[[], object], repeat: int, watched: list[Any], passes: int = PASSES
    ) -> list[Any]:
        """Return the leaks of `repeat` calls: blocks, bytes, references to each watched object."""
        disable()
        run(called, warm_up)
        collect()
        heaps = [heap()]
        least: list[int] = []
        for again in range(passes):  # a single change, such as a cache, is not a leak
            more = grown(called, repeat, watched)
            heaps.append(settled(heaps[-1], repeat))
            least = [min(pair, key=abs) for pair in zip(least or more, more, strict=True)]
            mean, second = growth(heaps)
            leak = 1 if again < 2 else 0.9 * repeat
            if max(least[0], mean, *map(abs, least[1:])) < leak:
                break
        enable()
        return [least[0], mean if second >= repeat else 0, least[1:]]

    return search
