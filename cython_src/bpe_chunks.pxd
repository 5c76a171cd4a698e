"""Merge a pretoken of any size in linear time, within the processor's cache.

It is merged chunk by chunk, each with the last symbols before it. A sequence of symbols is the
merge of all its bytes if, and only if, every two neighbours are the merge of their own bytes. (The
first merge across a boundary would happen between the two neighbours alone as well.) It therefore
suffices that the symbol before the merged ones fits the first of them; if it does not, more symbols
are merged again."""

from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memcmp, memcpy

from bpe_interrupt cimport stopped
from bpe_merge cimport MOST, Symbol, merge
from bpe_model cimport NO_ID, Model
from bpe_output cimport Output, put
from bpe_whole cimport merge_whole

cdef enum:
    CHUNK = 256
    AGAIN = 12  # bytes before a chunk that are at first merged again with it

cdef struct Chunks:
    const Model *m
    Symbol[MOST + 1] open  # not yet written: later bytes can change them
    size_t n
    bint begun  # some symbols were written
    uint32_t[2] fit        # the last two that fitted
    const uint8_t *bytes  # the bytes merged last into `seam`, and their number
    size_t size, n_seam
    Symbol[MOST] seam


cdef inline void put_open(Chunks *c, size_t n, Output *out) noexcept nogil:
    cdef uint32_t[MOST + 1] ids
    cdef size_t i
    for i in range(n):
        ids[i] = c.open[i].id
    put(out, ids, n)
    c.begun = c.begun or n > 0


cdef inline bint fits(Chunks *c, const uint8_t *middle, Symbol left, Symbol right) noexcept nogil:
    """Return True if two symbols that meet at `middle` stay as they are."""
    cdef Symbol[MOST] both
    if c.fit[0] == left.id and c.fit[1] == right.id:
        return True
    if (left.size + right.size > MOST
            or merge(c.m, middle - left.size, left.size + right.size, both) != 2
            or both[0].id != left.id or both[1].id != right.id):
        return False
    c.fit[0] = left.id
    c.fit[1] = right.id
    return True


cdef inline void merge_seam(Chunks *c, const uint8_t *bytes, size_t size) noexcept nogil:
    """Merge into `seam`, unless the bytes are the same as last time: long pretokens repeat."""
    if size != c.size or memcmp(bytes, c.bytes, size) != 0:
        c.n_seam = merge(c.m, bytes, size, c.seam)
    c.bytes, c.size = bytes, size


cdef inline bint join(Chunks *c, const uint8_t *at, size_t size, Output *out) noexcept nogil:
    """Join `size` bytes to the open symbols, which end at `at`.

    Return False if this would change symbols that were written, or too many."""
    cdef Symbol left
    cdef size_t again = 0, before = 0, most = 1, fixed = c.n
    while True:
        while fixed > 0 and (again < most or before < AGAIN):
            fixed -= 1
            again += 1
            before += c.open[fixed].size
        if fixed == 0 and c.begun or before + size > MOST:
            return False
        merge_seam(c, at - before, before + size)
        if fixed == 0:
            break
        left = c.open[fixed - 1]
        if fits(c, at - before, left, c.seam[0]):
            break
        most = 4 * again
    if fixed > 0:  # one stays open, as the neighbour of the next change
        put_open(c, fixed - 1, out)
        c.open[0] = left
    memcpy(c.open + (fixed > 0), c.seam, c.n_seam * sizeof(Symbol))
    c.n = c.n_seam + (fixed > 0)
    return True


cdef inline bint merge_long(const Model *m, const uint8_t *pretoken, size_t size,
                            Output *out) noexcept nogil:
    """Return False if memory ran out even for the fallback, or if the call is to end."""
    cdef Chunks c
    cdef size_t at = min(size, <size_t>CHUNK), step, before = out.n
    c.m = m
    c.begun = False
    c.size = 0
    c.fit[0] = c.fit[1] = NO_ID
    c.n = merge(m, pretoken, at, c.open)
    while at < size:
        step = min(size - at, <size_t>CHUNK)
        if stopped(m.interrupt):
            return False
        if not join(&c, pretoken + at, step, out):
            out.n = before
            return merge_whole(m, pretoken, size, out)
        at += step
    put_open(&c, c.n, out)
    return True
