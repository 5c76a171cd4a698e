"""Pieces to ids: one of those met not long ago, or a token, or merged from its bytes."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy

from bpe_chunks cimport merge_long
from bpe_error cimport Error, fail
from bpe_merge cimport Symbol, merge
from bpe_model cimport DATA_CAPACITY, NO_ID, OK, SHORT, Model
from bpe_output cimport Output, put
from bpe_recent cimport KEPT, NEAR, Recent, Scratch, far_ids, find, grow, holds, own_line, remember
from bpe_scan cimport BLOCK
from bpe_tables cimport Key, expect_short, find_long, find_short, key_of, long_key, prefetch

cdef enum:
    AHEAD = 16   # how many pieces before a new one is looked up its slot is fetched
    MEDIUM = 64  # ids, or bytes, of a piece that is no longer than most


cdef inline size_t merged(const Model *m, const uint8_t *piece, size_t size,
                          uint32_t *ids) noexcept nogil:
    """The ids of a piece of at most MEDIUM bytes; how many."""
    cdef Symbol[MEDIUM] symbols
    cdef size_t n = merge(m, piece, size, symbols), i
    for i in range(n):
        ids[i] = symbols[i].id
    return n


cdef inline size_t short_ids(const Model *m, Key key, Scratch *scratch, uint32_t *ids) noexcept nogil:
    """Those of a piece that is not remembered; how many. The bytes are the key's own: in the text
    another thread may have changed them, and what is remembered must stay true."""
    cdef uint64_t[2] words
    cdef size_t n = 1
    ids[0] = find_short(m, key)
    if ids[0] == NO_ID:
        words[0] = key.low
        words[1] = key.high
        n = merged(m, <const uint8_t *>words, key.high >> 56, ids)
    if scratch != NULL:
        remember(scratch, key, NULL, 0, ids, n)
    return n


cdef inline size_t long_ids(const Model *m, Key key, const uint8_t *piece, size_t size,
                            uint32_t *ids) noexcept nogil:
    """Those of a piece of at most KEPT bytes; how many. 0: out of memory."""
    cdef Output out = Output(ids, 0, KEPT)
    ids[0] = find_long(m, key.low, piece, size)
    if ids[0] != NO_ID:
        return 1
    if size <= MEDIUM:
        return merged(m, piece, size, ids)
    return out.n if merge_long(m, piece, size, &out) else 0


cdef inline int encode_long(const Model *m, const uint8_t *piece, size_t size, Scratch *scratch,
                            Output *out, Error *error) noexcept nogil:
    """A piece too long for the short table."""
    cdef uint8_t[KEPT] copy
    cdef uint32_t[KEPT] ids
    cdef size_t n = 0
    cdef const Recent *recent = NULL
    cdef Key key
    if size > KEPT:
        key = long_key(piece, size)
        ids[0] = find_long(m, key.low, piece, size)
        if ids[0] == NO_ID:
            return (OK if merge_long(m, piece, size, out)
                    else fail(error, DATA_CAPACITY, 0, 0, -1, size))
        put(out, ids, 1)
        return OK
    memcpy(copy, piece, size)  # nobody changes these meanwhile
    key = long_key(copy, size)
    if scratch != NULL:
        recent = find(scratch, key)
    if recent != NULL:
        n = far_ids(scratch, recent, key, copy, size, ids, KEPT)
    if n == 0:
        n = long_ids(m, key, copy, size, ids)
        if n == 0:
            return fail(error, DATA_CAPACITY, 0, 0, -1, size)
        if scratch != NULL:
            remember(scratch, key, copy, size, ids, n)
    put(out, ids, n)
    return OK


cdef inline size_t recall(const Scratch *scratch, Key key, const uint8_t *piece, size_t size,
                          uint32_t *ids) noexcept nogil:
    """The ids of a piece, if they are at most MEDIUM, and maybe something behind them; how many they
    are, 0 if it is not remembered."""
    cdef const Recent *recent = &scratch.recent[own_line(scratch, key)]
    recent += not holds(recent, key)
    if not holds(recent, key):
        recent = find(scratch, key)
        if recent == NULL:
            return 0
    memcpy(ids, recent.ids, sizeof(recent.ids))
    return recent.n if recent.n <= NEAR else far_ids(scratch, recent, key, piece, size, ids, MEDIUM)


cdef inline int encode_pieces(const Model *m, const uint8_t *text, size_t size, size_t at,
                              const size_t *ends, size_t n, Scratch *scratch, Output *out,
                              Error *error) noexcept nogil:
    """n pieces of text[:size], the first of them at `at`. Two loops, so that the memory which the
    second looks at is on its way for all pieces at once."""
    cdef Key[BLOCK] keys
    cdef uint32_t[SHORT * BLOCK + MEDIUM] ids
    cdef size_t i, start = at, fetched = 0, n_ids = 0, known
    if scratch != NULL:
        grow(scratch)
    for i in range(n):
        keys[i] = key_of(text + start, ends[i] - start, text + size)
        if scratch != NULL:
            prefetch(&scratch.recent[own_line(scratch, keys[i])])
        start = ends[i]
    for i in range(n):
        start, at = at, ends[i]
        if n_ids > SHORT * BLOCK:
            put(out, ids, n_ids)
            n_ids = 0
        if scratch != NULL:
            known = recall(scratch, keys[i], text + start, at - start, ids + n_ids)
            n_ids += known
            if known > 0:
                continue
        if at - start <= SHORT:
            fetched = max(fetched, i + 1)  # where one piece is new, so are others
            while fetched < min(n, i + AHEAD):
                expect_short(m, keys[fetched])
                fetched += 1
            n_ids += short_ids(m, keys[i], scratch, ids + n_ids)
        else:
            put(out, ids, n_ids)
            n_ids = 0
            if encode_long(m, text + start, at - start, scratch, out, error) != OK:
                return error.code
    put(out, ids, n_ids)
    return OK
