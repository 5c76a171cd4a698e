"""Encode texts and decode ids. docs/tokenizer.md is the specification."""

from libc.stdint cimport int64_t, uint8_t, uint32_t
from libc.string cimport memcpy

from bpe_cache cimport Scratch
from bpe_error cimport Error, fail
from bpe_interrupt cimport is_set, stopped
from bpe_model cimport CAPACITY, INTERRUPTED, OK, SPECIAL, UNKNOWN_ID, UTF8, Model
from bpe_output cimport Output, put
from bpe_pool cimport Pool, put_back, take
from bpe_pretokens cimport encode_pretokens
from bpe_scan cimport BLOCK, split_block
from bpe_specials cimport ALLOWED, REFUSED, SpecialMatch, any_special, find_special
from bpe_tables cimport Token, token_of
from utf8 cimport valid_utf8

cdef enum:
    SLICE = 1 << 20      # bytes of text
    CHECKED_IDS = 1 << 10


cdef inline int ended(const Model *m, Error *error) noexcept nogil:
    """Return the code of `error`, or INTERRUPTED if the call was ended."""
    if m.interrupt != NULL and is_set(&m.interrupt.stop):
        return fail(error, INTERRUPTED, 0)
    return <int>error.code


# ---- encode --------------------------------------------------------------------------------------


cdef inline size_t valid_text(const Model *m, const uint8_t *text, size_t size) noexcept nogil:
    """Return the result of `valid_utf8`, in slices that cut no well-formed sequence."""
    cdef size_t at = 0, end, start, valid
    while at < size and not stopped(m.interrupt):
        end = min(size, at + SLICE)
        start = end
        while start < size and text[start] & 0xc0 == 0x80 and end - start < 3:
            start -= 1
        if start < size and text[start] & 0xc0 != 0x80:
            end = start
        valid = at + valid_utf8(text + at, end - at)
        if valid < end:
            return valid
        at = end
    return size


cdef inline int encode_stretch(const Model *m, const uint8_t *text, size_t at, size_t size,
                               Scratch *scratch, Output *out, Error *error) noexcept nogil:
    cdef size_t[BLOCK] ends
    cdef size_t n
    cdef int code = OK
    while at < size and code == OK and not stopped(m.interrupt):
        n = split_block(m, text, at, size, ends)
        code = encode_pretokens(m, text, size, at, ends, n, scratch, out, error)
        at = ends[n - 1]
    return code


cdef inline int encode_text(const Model *m, const uint8_t *text, size_t size, const uint8_t *policy,
                            Scratch *scratch, Output *out, Error *error) noexcept nogil:
    """Encode with a policy: PLAIN, ALLOWED or REFUSED for each special token; NULL is all PLAIN."""
    cdef size_t at = 0, valid = valid_text(m, text, size)
    cdef SpecialMatch found
    if valid != size:
        return fail(error, UTF8, valid)
    if any_special(m, policy, REFUSED):
        if find_special(m, policy, REFUSED, text, text + size, &found):
            return fail(error, SPECIAL, found.at - text, 0, found.number)
    if any_special(m, policy, ALLOWED):
        while find_special(m, policy, ALLOWED, text + at, text + size, &found):
            if encode_stretch(m, text, at, found.at - text, scratch, out, error) != OK:
                return error.code
            put(out, &m.special_ids[found.number], 1)
            at = found.at + found.size - text
    if encode_stretch(m, text, at, size, scratch, out, error) != OK:
        return error.code
    if out.ids != NULL and out.n > out.capacity:
        return fail(error, CAPACITY, 0, 0, -1, out.n, out.capacity)
    return OK


cdef inline void encode(const Model *m, Pool *pool, const uint8_t *text, size_t size,
                        const uint8_t *policy, Output *out, Error *error) noexcept nogil:
    """Encode one text with memory of the pool."""
    cdef Scratch *scratch = take(pool)
    encode_text(m, text, size, policy, scratch, out, error)
    put_back(pool, scratch)
    ended(m, error)


cdef inline size_t split_text(const Model *m, const uint8_t *text, size_t size, int64_t *ends,
                              Error *error) noexcept nogil:
    """Write the ends of the pretokens of a text, and return their number.

    Room for `size` ends suffices, since a pretoken has at least one byte."""
    cdef size_t[BLOCK] block
    cdef size_t at = 0, n = 0, i, found, valid = valid_text(m, text, size)
    if valid < size:
        fail(error, UTF8, valid)
        return 0
    while at < size and not stopped(m.interrupt):
        found = split_block(m, text, at, size, block)
        for i in range(found):
            ends[n + i] = block[i]
        n += found
        at = block[found - 1]
    ended(m, error)
    return n


# ---- decode --------------------------------------------------------------------------------------


cdef inline int decode_size(const Model *m, const uint32_t *ids, size_t n, size_t *size,
                            Error *error) noexcept nogil:
    cdef size_t i = 0, end
    size[0] = 0
    while i < n and not stopped(m.interrupt):
        end = min(n, i + CHECKED_IDS)
        for i in range(i, end):
            if ids[i] >= m.n_ids or not m.defined[ids[i]]:
                return fail(error, UNKNOWN_ID, 0, i, -1, 0, ids[i])
            size[0] += token_of(m, ids[i]).size
        i = end
    return ended(m, error)


cdef inline size_t decode_ids(const Model *m, const uint32_t *ids, size_t n, uint8_t *out,
                              size_t capacity, Error *error) noexcept nogil:
    """Write at most `capacity` bytes and return their number; ids may change after decode_size."""
    cdef size_t i = 0, end, used = 0
    cdef Token token
    while i < n and not stopped(m.interrupt):
        end = min(n, i + CHECKED_IDS)
        for i in range(i, end):
            token = token_of(m, ids[i])
            if token.size > capacity - used:
                return used
            memcpy(out + used, token.data, token.size)
            used += token.size
        i = end
    ended(m, error)
    return used
