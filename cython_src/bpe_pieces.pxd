"""Pieces to ids: one of those met not long ago, or a token, or merged from its bytes."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memcmp, memcpy

from bpe_chunks cimport merge_long
from bpe_error cimport Error, fail
from bpe_merge cimport Symbol, merge
from bpe_model cimport DATA_CAPACITY, NO_ID, OK, SHORT, Model
from bpe_output cimport Output, put
from bpe_pool cimport FAR_BITS, FAR_BYTES, FAR_IDS, NEAR, RECENT_BITS, Far, Recent, Scratch
from bpe_scan cimport BLOCK
from bpe_tables cimport Key, expect_short, find_long, find_short, key_of, long_hash, prefetch

cdef enum:
    AHEAD = 16  # how many pieces before a new one is looked up its slot is fetched


cdef inline size_t slot_of(Key key) noexcept nogil:
    """The first of the two that a short piece can be in."""
    return key.hash >> (64 - RECENT_BITS) & ~<uint64_t>1


cdef inline bint holds(const Recent *recent, Key key) noexcept nogil:
    return ((recent.low ^ key.low) | (recent.high ^ key.high)) == 0


cdef inline size_t merged(const Model *m, const uint8_t *piece, size_t size,
                          uint32_t *ids) noexcept nogil:
    """The ids of a piece of at most FAR_BYTES; how many."""
    cdef Symbol[FAR_BYTES] symbols
    cdef size_t n = merge(m, piece, size, symbols), i
    for i in range(n):
        ids[i] = symbols[i].id
    return n


cdef inline size_t short_ids(const Model *m, Key key, Scratch *scratch, uint32_t *ids) noexcept nogil:
    """Those of a piece that is not remembered; how many. The bytes are the key's own: in the text
    another thread may have changed them, and what is remembered must stay true."""
    cdef uint64_t[2] words
    cdef size_t n = 1, slot = slot_of(key)
    cdef Recent *recent
    ids[0] = find_short(m, key)
    if ids[0] == NO_ID:
        words[0] = key.low
        words[1] = key.high
        n = merged(m, <const uint8_t *>words, key.high >> 56, ids)
    if scratch != NULL:
        if scratch.recent[slot].n != 0 and (scratch.recent[slot + 1].n == 0 or ids[0] & 1):
            slot += 1
        recent = &scratch.recent[slot]
        recent.low, recent.high, recent.n = key.low, key.high, <uint32_t>n
        memcpy(recent.ids, ids, min(n, <size_t>NEAR) * sizeof(uint32_t))
        if n > NEAR:
            memcpy(scratch.more[slot], ids + NEAR, (n - NEAR) * sizeof(uint32_t))
    return n


cdef inline int encode_long(const Model *m, const uint8_t *piece, size_t size, Scratch *scratch,
                            Output *out, Error *error) noexcept nogil:
    """A piece too long for the short table."""
    cdef uint8_t[FAR_BYTES] copy
    cdef uint32_t[FAR_BYTES] ids
    cdef uint64_t hash
    cdef size_t n = 1
    cdef Far *far = NULL
    if size <= FAR_BYTES:
        memcpy(copy, piece, size)  # nobody changes these meanwhile
        piece = copy
    hash = long_hash(piece, size)
    if size <= FAR_BYTES and scratch != NULL:
        far = &scratch.far[hash >> (64 - FAR_BITS)]
        if far.size == size and memcmp(far.piece, piece, size) == 0:
            put(out, far.ids, far.n)
            return OK
    ids[0] = find_long(m, hash, piece, size)
    if ids[0] == NO_ID:
        if size > FAR_BYTES:
            return (OK if merge_long(m, piece, size, out)
                    else fail(error, DATA_CAPACITY, 0, 0, -1, size))
        n = merged(m, piece, size, ids)
    if far != NULL and n <= FAR_IDS:
        far.size, far.n = <uint8_t>size, <uint8_t>n
        memcpy(far.piece, piece, size)
        memcpy(far.ids, ids, n * sizeof(uint32_t))
    put(out, ids, n)
    return OK


cdef inline int encode_pieces(const Model *m, const uint8_t *text, size_t size, size_t at,
                              const size_t *ends, size_t n, Scratch *scratch, Output *out,
                              Error *error) noexcept nogil:
    """n pieces of text[:size], the first of them at `at`. Two loops, so that the memory which the
    second looks at is on its way for all pieces at once."""
    cdef Key[BLOCK] keys
    cdef uint32_t[SHORT * (BLOCK + 1)] ids  # room for copying too many
    cdef size_t i, start = at, slot, fetched = 0, n_ids = 0
    cdef Recent *recent
    for i in range(n):
        keys[i] = key_of(text + start, ends[i] - start, text + size)
        if scratch != NULL:
            prefetch(&scratch.recent[slot_of(keys[i])])
        start = ends[i]
    for i in range(n):
        if scratch != NULL:
            slot = slot_of(keys[i])
            slot += not holds(&scratch.recent[slot], keys[i])
            recent = &scratch.recent[slot]
            if holds(recent, keys[i]):
                memcpy(ids + n_ids, recent.ids, NEAR * sizeof(uint32_t))
                if recent.n > NEAR:
                    memcpy(ids + n_ids + NEAR, scratch.more[slot], sizeof(scratch.more[slot]))
                n_ids += recent.n
                at = ends[i]
                continue
        if ends[i] - at <= SHORT:
            fetched = max(fetched, i + 1)  # where one piece is new, so are others
            while fetched < min(n, i + AHEAD):
                expect_short(m, keys[fetched])
                fetched += 1
            n_ids += short_ids(m, keys[i], scratch, ids + n_ids)
        else:
            put(out, ids, n_ids)
            n_ids = 0
            if encode_long(m, text + at, ends[i] - at, scratch, out, error) != OK:
                return error.code
        at = ends[i]
    put(out, ids, n_ids)
    return OK
