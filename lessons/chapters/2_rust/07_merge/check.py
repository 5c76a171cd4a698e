"""Random ids and pairs that compete for them, few and many."""

from itertools import pairwise

from ffi_cookbook_lessons.cases import drive


def drawn_pairs(draw, first, n):
    """Return n pairs of ids below `first`, or of ids that such pairs have become."""
    pairs = {}
    while len(pairs) < n:
        known = list(range(first)) + list(pairs.values())
        pairs.setdefault((draw.choice(known), draw.choice(known)), first + len(pairs))
    return [(left, right, merged) for (left, right), merged in pairs.items()]


def merged(ids, pairs):
    """Return the ids after merging, each time the leftmost pair of the lowest rank.

    A pair that a merge makes can have a lower rank, so the search begins anew after each merge.
    """
    ranks = {pair[:2]: (rank, pair[2]) for rank, pair in enumerate(pairs)}
    while True:
        found = [(*ranks[two], at) for at, two in enumerate(pairwise(ids)) if two in ranks]
        if not found:
            return ids
        _, new, at = min(found, key=lambda one: (one[0], one[2]))
        ids = [*ids[:at], new, *ids[at + 2 :]]


def cases(draw):
    """Yield small inputs, for which a slow reference answers, and large ones with known answers."""
    yield drive("merge", [1, 2, 2, 1, 2, 3], [(1, 2, 9), (9, 3, 10), (2, 2, 11)], gives=[9, 2, 10])
    yield drive("merge", [7] * 5, [(7, 7, 8)], gives=[8, 8, 7])
    yield drive("merge", [1, 2, 3], [(2, 3, 4), (1, 2, 5), (1, 4, 6)], gives=[6])
    yield drive("merge", [5, 6], [], gives=[5, 6])
    yield drive("merge", [], [(1, 2, 3)], gives=[])
    yield drive("merge", [1], [(1, 1, 2)], gives=[1])
    for _ in range(12):
        first = draw.randint(2, 5)
        pairs = drawn_pairs(draw, first, draw.randint(1, 12))
        draw.shuffle(pairs)
        ids = draw.choices(range(first), k=draw.randint(2, 40))
        says = f"merge of {len(ids)} ids by {len(pairs)} pairs"
        yield drive("merge", ids, pairs, gives=merged(ids, pairs), repeat=10, says=says)
    n = 1 << 19
    doubling = [(k, k, k + 1) for k in range(1, 20)]
    for size, left in ((n, [20]), (n - 1, list(range(19, 0, -1)))):
        says = f"merge of {size:,} equal ids"
        yield drive(
            "merge_same", 1, size, doubling, gives=left, repeat=0, modes=("release",), says=says
        )
    pairs = drawn_pairs(draw, 4, 20)
    ids = draw.choices(range(4), k=200)
    says = "merge of 200 ids by 20 pairs"
    yield drive("merge", ids, pairs, gives=merged(ids, pairs), repeat=0, timed=True, says=says)
