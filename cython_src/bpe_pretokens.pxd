"""Pretokens to ids: an id comes from the cache, from a token, or from merging the bytes."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy

from bpe_cache cimport (
    CACHED_BYTES, NEAR, Entry, Scratch, cache_ids, far_ids, find, grow, holds, own_line
)
from bpe_chunks cimport merge_long
from bpe_error cimport Error, fail
from bpe_merge cimport Symbol, merge
from bpe_model cimport DATA_CAPACITY, NO_ID, OK, SHORT, Model
from bpe_output cimport Output, put
from bpe_scan cimport BLOCK
from bpe_tables cimport Key, expect_short, find_long, find_short, key_of, long_key, prefetch

cdef enum:
    AHEAD = 16  # the slot of a token is prefetched this many pretokens ahead
    MEDIUM = 64  # ids, or bytes, that hardly any pretoken exceeds


cdef inline size_t merged(const Model *m, const uint8_t *pretoken, size_t size,
                          uint32_t *ids) noexcept nogil:
    """Write the ids of a pretoken of at most MEDIUM bytes and return their number."""
    cdef Symbol[MEDIUM] symbols
    cdef size_t n = merge(m, pretoken, size, symbols), i
    for i in range(n):
        ids[i] = symbols[i].id
    return n


cdef inline size_t short_ids(const Model *m, Key key, Scratch *scratch, uint32_t *ids) noexcept nogil:
    """Write the ids of a short pretoken that is not cached and return their number.

    The bytes come from the key, since another thread may change the text, and the cache must stay
    correct."""
    cdef uint64_t[2] words
    cdef size_t n = 1
    ids[0] = find_short(m, key)
    if ids[0] == NO_ID:
        words[0] = key.low
        words[1] = key.high
        n = merged(m, <const uint8_t *>words, key.high >> 56, ids)
    if scratch != NULL:
        cache_ids(scratch, key, NULL, 0, ids, n)
    return n


cdef inline size_t long_ids(const Model *m, Key key, const uint8_t *pretoken, size_t size,
                            uint32_t *ids) noexcept nogil:
    """Write the ids of a pretoken of at most CACHED_BYTES; return their number, or 0 on failure."""
    cdef Output out = Output(ids, 0, CACHED_BYTES)
    ids[0] = find_long(m, key.low, pretoken, size)
    if ids[0] != NO_ID:
        return 1
    if size <= MEDIUM:
        return merged(m, pretoken, size, ids)
    return out.n if merge_long(m, pretoken, size, &out) else 0


cdef inline int encode_long(const Model *m, const uint8_t *pretoken, size_t size, Scratch *scratch,
                            Output *out, Error *error) noexcept nogil:
    """Encode a pretoken that is too long for the short table."""
    cdef uint8_t[CACHED_BYTES] copy
    cdef uint32_t[CACHED_BYTES] ids
    cdef size_t n = 0
    cdef const Entry *entry = NULL
    cdef Key key
    if size > CACHED_BYTES:
        key = long_key(pretoken, size)
        ids[0] = find_long(m, key.low, pretoken, size)
        if ids[0] == NO_ID:
            return (OK if merge_long(m, pretoken, size, out)
                    else fail(error, DATA_CAPACITY, 0, 0, -1, size))
        put(out, ids, 1)
        return OK
    memcpy(copy, pretoken, size)  # no other thread changes the copy
    key = long_key(copy, size)
    if scratch != NULL:
        entry = find(scratch, key)
    if entry != NULL:
        n = far_ids(scratch, entry, key, copy, size, ids, CACHED_BYTES)
    if n == 0:
        n = long_ids(m, key, copy, size, ids)
        if n == 0:
            return fail(error, DATA_CAPACITY, 0, 0, -1, size)
        if scratch != NULL:
            cache_ids(scratch, key, copy, size, ids, n)
    put(out, ids, n)
    return OK


cdef inline size_t cached_ids(const Scratch *scratch, Key key, const uint8_t *pretoken, size_t size,
                          uint32_t *ids) noexcept nogil:
    """Write the ids of a cached pretoken, at most MEDIUM; the memory after them is arbitrary.

    Return their number, or 0 if the pretoken is not cached."""
    cdef const Entry *entry = &scratch.entries[own_line(scratch, key)]
    entry += not holds(entry, key)
    if not holds(entry, key):
        entry = find(scratch, key)
        if entry == NULL:
            return 0
    memcpy(ids, entry.ids, sizeof(entry.ids))
    return entry.n if entry.n <= NEAR else far_ids(scratch, entry, key, pretoken, size, ids, MEDIUM)


cdef inline int encode_pretokens(const Model *m, const uint8_t *text, size_t size, size_t at,
                              const size_t *ends, size_t n, Scratch *scratch, Output *out,
                              Error *error) noexcept nogil:
    """Encode n pretokens of text[:size], the first of them at `at`.

    A first loop prefetches the memory that the second one reads."""
    cdef Key[BLOCK] keys
    cdef uint32_t[SHORT * BLOCK + MEDIUM] ids
    cdef size_t i, start = at, fetched = 0, n_ids = 0, known
    if scratch != NULL:
        grow(scratch)
    for i in range(n):
        keys[i] = key_of(text + start, ends[i] - start, text + size)
        if scratch != NULL:
            prefetch(&scratch.entries[own_line(scratch, keys[i])])
        start = ends[i]
    for i in range(n):
        start, at = at, ends[i]
        if n_ids > SHORT * BLOCK:
            put(out, ids, n_ids)
            n_ids = 0
        if scratch != NULL:
            known = cached_ids(scratch, keys[i], text + start, at - start, ids + n_ids)
            n_ids += known
            if known > 0:
                continue
        if at - start <= SHORT:
            fetched = max(fetched, i + 1)  # new pretokens come in groups
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
