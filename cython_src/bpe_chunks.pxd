"""Merging a piece of any size in linear time, and in the nearest cache: chunk by chunk, each together
with the last symbols before it.

Symbols in a row are what merging all of their bytes gives if, and only if, each two neighbours are
what merging the bytes of these two gives: the first merge across a boundary is one that the two would
make alone as well. So it is enough that the symbols left alone fit the first one that was merged anew;
if not, more of them are merged anew."""

from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memcmp, memcpy

from bpe_interrupt cimport stopped
from bpe_merge cimport MOST, Symbol, merge
from bpe_model cimport NO_ID, Model
from bpe_output cimport Output, put
from bpe_whole cimport merge_whole

cdef enum:
    CHUNK = 256
    AGAIN = 12  # bytes before a chunk that are merged anew at first

cdef struct Chunks:
    const Model *m
    Symbol[MOST + 1] open  # not yet put out: what comes behind can change them
    size_t n
    bint begun             # some were put out
    uint32_t[2] fit        # the last two that fitted
    const uint8_t *bytes   # merged last, `size` of them, into `seam`
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
    """Whether two symbols that meet at `middle` stay as they are."""
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
    """Into `seam`, unless the bytes are those of the last time: a very long piece often repeats
    itself."""
    if size != c.size or memcmp(bytes, c.bytes, size) != 0:
        c.n_seam = merge(c.m, bytes, size, c.seam)
    c.bytes, c.size = bytes, size


cdef inline bint join(Chunks *c, const uint8_t *at, size_t size, Output *out) noexcept nogil:
    """Joins `size` bytes to the open symbols, which end at `at`. False if that would take some that
    were put out, or too many."""
    cdef Symbol left
    cdef size_t again = 0, before = 0, most = 1, kept = c.n
    while True:
        while kept > 0 and (again < most or before < AGAIN):
            kept -= 1
            again += 1
            before += c.open[kept].size
        if kept == 0 and c.begun or before + size > MOST:
            return False
        merge_seam(c, at - before, before + size)
        if kept == 0:
            break
        left = c.open[kept - 1]
        if fits(c, at - before, left, c.seam[0]):
            break
        most = 4 * again
    if kept > 0:  # one stays, to be the neighbour of what changes next
        put_open(c, kept - 1, out)
        c.open[0] = left
    memcpy(c.open + (kept > 0), c.seam, c.n_seam * sizeof(Symbol))
    c.n = c.n_seam + (kept > 0)
    return True


cdef inline bint merge_long(const Model *m, const uint8_t *piece, size_t size,
                            Output *out) noexcept nogil:
    """False: not even the fallback had memory enough, or the call is to end."""
    cdef Chunks c
    cdef size_t at = min(size, <size_t>CHUNK), step, before = out.n
    c.m = m
    c.begun = False
    c.size = 0
    c.fit[0] = c.fit[1] = NO_ID
    c.n = merge(m, piece, at, c.open)
    while at < size:
        step = min(size - at, <size_t>CHUNK)
        if stopped(m.interrupt):
            return False
        if not join(&c, piece + at, step, out):
            out.n = before
            return merge_whole(m, piece, size, out)
        at += step
    put_open(&c, c.n, out)
    return True
