"""Merge up to MOST bytes: the pair of lowest rank, the leftmost on a tie, until none merges."""

from libc.stdint cimport uint8_t, uint16_t, uint32_t
from libc.string cimport memset

from bpe_model cimport NO_ID, Model
from bpe_tables cimport byte_pair_rank, merged_id, pair_rank

cdef enum:
    PLACE_BITS = 9
    MOST = 1 << PLACE_BITS
    GROUP = 16
    GROUPS = 32  # MOST / GROUP

cdef struct Symbol:
    uint32_t id, size  # the number of bytes it covers

cdef struct Ranks:
    # The merge of each symbol with the next, as rank << PLACE_BITS | place, so that the lowest is
    # made first; and the lowest of each GROUP.
    uint32_t[MOST] each
    uint32_t[GROUPS] groups


cdef inline uint32_t lowest(const uint32_t *of, size_t n) noexcept nogil:
    cdef uint32_t least = NO_ID
    cdef size_t i
    for i in range(n):
        least = of[i] if of[i] < least else least
    return least


cdef inline void rate(Ranks *ranks, size_t place, uint32_t rank) noexcept nogil:
    ranks.each[place] = NO_ID if rank == NO_ID else rank << PLACE_BITS | <uint32_t>place


cdef inline void regroup(Ranks *ranks, size_t place) noexcept nogil:
    ranks.groups[place // GROUP] = lowest(ranks.each + place // GROUP * GROUP, GROUP)


cdef inline size_t merge(const Model *m, const uint8_t *pretoken, size_t size,
                         Symbol *symbols) noexcept nogil:
    """Merge 0 < size <= MOST bytes into `symbols`, with room for `size`; return their number."""
    cdef uint32_t[MOST] ids
    cdef uint16_t[MOST] next, previous
    cdef Ranks ranks
    cdef size_t i, gone, after, before, n = 0, n_groups = (size + GROUP - 1) // GROUP
    cdef uint32_t best
    memset(ranks.each, 0xff, n_groups * GROUP * sizeof(uint32_t))
    for i in range(size):
        ids[i] = m.byte_ids[pretoken[i]]
        next[i] = <uint16_t>(i + 1)
        previous[i] = <uint16_t>(i - 1)
    for i in range(size - 1):
        rate(&ranks, i, byte_pair_rank(m, pretoken + i))
    for i in range(n_groups):
        regroup(&ranks, i * GROUP)
    while True:
        best = lowest(ranks.groups, n_groups)
        if best == NO_ID:
            break
        i = best & (MOST - 1)
        gone = next[i]
        after = next[gone]
        ids[i] = merged_id(m, best >> PLACE_BITS)
        next[i] = <uint16_t>after
        ranks.each[gone] = ranks.each[i] = NO_ID
        if after < size:
            previous[after] = <uint16_t>i
            rate(&ranks, i, pair_rank(m, ids[i], ids[after]))
        before = previous[i] if i > 0 else 0
        if i > 0:
            rate(&ranks, before, pair_rank(m, ids[before], ids[i]))
        regroup(&ranks, i)
        if gone // GROUP != i // GROUP:
            regroup(&ranks, gone)
        if before // GROUP != i // GROUP:
            regroup(&ranks, before)
    i = 0
    while i < size:
        symbols[n] = Symbol(ids[i], <uint32_t>(next[i] - i))
        n += 1
        i = next[i]
    return n
