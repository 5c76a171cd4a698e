"""Texts to ids and back. docs/tokenizer.md is the specification."""

from libc.stdint cimport int64_t, uint8_t, uint32_t
from libc.string cimport memcpy

from bpe_error cimport Error, fail
from bpe_model cimport CAPACITY, OK, SPECIAL, UNKNOWN_ID, UTF8, Model
from bpe_output cimport Output, put
from bpe_pieces cimport encode_pieces
from bpe_recent cimport Scratch
from bpe_scan cimport BLOCK, split_block
from bpe_specials cimport ALLOWED, REFUSED, Found, any_special, find_special
from bpe_tables cimport Token, token_of
from utf8 cimport valid_utf8

# ---- encode --------------------------------------------------------------------------------------


cdef inline int encode_stretch(const Model *m, const uint8_t *text, size_t at, size_t size,
                               Scratch *scratch, Output *out, Error *error) noexcept nogil:
    cdef size_t[BLOCK] ends
    cdef size_t n
    cdef int code = OK
    while at < size and code == OK:
        n = split_block(m, text, at, size, ends)
        code = encode_pieces(m, text, size, at, ends, n, scratch, out, error)
        at = ends[n - 1]
    return code


cdef inline int encode_text(const Model *m, const uint8_t *text, size_t size, const uint8_t *policy,
                            Scratch *scratch, Output *out, Error *error) noexcept nogil:
    """policy: one of PLAIN, ALLOWED, REFUSED for each special token, or NULL: all PLAIN."""
    cdef size_t at = 0, valid = valid_utf8(text, size)
    cdef Found found
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


cdef inline size_t split_text(const Model *m, const uint8_t *text, size_t size,
                              int64_t *ends) noexcept nogil:
    """Write where the pieces of valid UTF-8 end into `ends`, and return their number. Room for `size`
    suffices, since a piece has at least one byte."""
    cdef size_t[BLOCK] block
    cdef size_t at = 0, n = 0, i, found
    while at < size:
        found = split_block(m, text, at, size, block)
        for i in range(found):
            ends[n + i] = block[i]
        n += found
        at = block[found - 1]
    return n


# ---- decode --------------------------------------------------------------------------------------


cdef inline int decode_size(const Model *m, const uint32_t *ids, size_t n, size_t *size,
                            Error *error) noexcept nogil:
    cdef size_t i
    size[0] = 0
    for i in range(n):
        if ids[i] >= m.n_ids or not m.defined[ids[i]]:
            return fail(error, UNKNOWN_ID, 0, i, -1, 0, ids[i])
        size[0] += token_of(m, ids[i]).size
    return OK


cdef inline size_t decode_ids(const Model *m, const uint32_t *ids, size_t n, uint8_t *out,
                              size_t capacity) noexcept nogil:
    """Writes at most `capacity` bytes, returns how many: ids may have changed since decode_size."""
    cdef size_t i, used = 0
    cdef Token token
    for i in range(n):
        token = token_of(m, ids[i])
        if token.size > capacity - used:
            break
        memcpy(out + used, token.data, token.size)
        used += token.size
    return used
