"""Texts to ids and back. docs/tokenizer.md is the specification."""

from libc.stdint cimport int64_t, uint8_t, uint32_t
from libc.string cimport memchr, memcmp, memcpy, memset

from bpe_merge cimport BYTES_EACH, MAX_PIECE, Output, emit, encode_piece
from bpe_model cimport (
    ARGUMENT, CAPACITY, OK, SPECIAL, UNKNOWN_ID, UTF8, Model, Token, token_of
)
from bpe_split cimport Split, split_of
from utf8 cimport valid_utf8

cdef enum:  # what a policy says of a special token
    PLAIN
    ALLOWED
    REFUSED

cdef struct Error:
    int64_t code, offset, record, field, expected, actual

cdef struct Found:
    const uint8_t *at
    size_t size
    int64_t number  # of the special token


cdef inline int fail(Error *error, int code, int64_t offset=0, int64_t record=0, int64_t field=-1,
                     int64_t expected=0, int64_t actual=0) noexcept nogil:
    error[0] = Error(code, offset, record, field, expected, actual)
    return code


cdef inline size_t scratch_size(size_t size) noexcept nogil:
    """Bytes of 8-byte aligned scratch that a text of `size` bytes can need."""
    return <size_t>BYTES_EACH * size // 8 * 8 + 8


# ---- special tokens ------------------------------------------------------------------------------


cdef inline int64_t special_at(const Model *m, const uint8_t *policy, int wanted, const uint8_t *at,
                               const uint8_t *end, size_t *size) noexcept nogil:
    """The number of the longest special token at `at` with the wanted policy, or -1."""
    cdef Token token
    cdef uint32_t i
    for i in range(m.n_special):
        token = token_of(m, m.special_ids[i])
        if (policy[i] == wanted and 0 < token.size <= <size_t>(end - at)
                and memcmp(token.data, at, token.size) == 0):
            size[0] = token.size
            return i
    return -1


cdef inline bint find_special(const Model *m, const uint8_t *policy, int wanted, const uint8_t *at,
                              const uint8_t *end, Found *found) noexcept nogil:
    """The leftmost special token with the wanted policy, the longest on a tie."""
    cdef bint[256] starts
    cdef Token token
    cdef uint32_t i
    cdef int n_starts = 0, first = 0
    memset(starts, 0, sizeof(starts))
    for i in range(m.n_special):
        token = token_of(m, m.special_ids[i])
        if policy[i] == wanted and token.size > 0 and not starts[token.data[0]]:
            first = token.data[0]
            starts[first] = True
            n_starts += 1
    while n_starts > 0 and at < end:
        if n_starts == 1:
            at = <const uint8_t *>memchr(at, first, end - at)
            if at == NULL:
                return False
        if starts[at[0]]:
            found.number = special_at(m, policy, wanted, at, end, &found.size)
            if found.number >= 0:
                found.at = at
                return True
        at += 1
    return False


# ---- encode --------------------------------------------------------------------------------------


cdef inline bint encode_stretch(const Model *m, const uint8_t *at, const uint8_t *end,
                                void *scratch, Output *out) noexcept nogil:
    cdef Split split = split_of(m)
    cdef const uint8_t *behind
    while at < end:
        behind = split(m, at, end)
        if behind - at >= MAX_PIECE:
            return False
        encode_piece(m, at, behind - at, end, scratch, out)
        at = behind
    return True


cdef inline int encode_text(const Model *m, const uint8_t *text, size_t size, const uint8_t *policy,
                            void *scratch, Output *out, Error *error) noexcept nogil:
    """policy: one of PLAIN, ALLOWED, REFUSED for each special token, or NULL: all PLAIN."""
    cdef const uint8_t *at = text
    cdef const uint8_t *end = text + size
    cdef size_t valid = valid_utf8(text, size)
    cdef Found found
    if valid != size:
        return fail(error, UTF8, valid)
    if policy != NULL:
        if find_special(m, policy, REFUSED, text, end, &found):
            return fail(error, SPECIAL, found.at - text, 0, found.number)
        while find_special(m, policy, ALLOWED, at, end, &found):
            if not encode_stretch(m, at, found.at, scratch, out):
                return fail(error, ARGUMENT)
            emit(out, m.special_ids[found.number])
            at = found.at + found.size
    if not encode_stretch(m, at, end, scratch, out):
        return fail(error, ARGUMENT)
    if out.ids != NULL and out.n > out.capacity:
        return fail(error, CAPACITY, 0, 0, -1, out.n, out.capacity)
    return OK


cdef inline size_t split_text(const Model *m, const uint8_t *text, size_t size,
                              int64_t *ends) noexcept nogil:
    """Where the pieces of valid UTF-8 end, into `ends` (room for `size`); returns how many."""
    cdef Split split = split_of(m)
    cdef const uint8_t *at = text
    cdef const uint8_t *end = text + size
    cdef size_t n = 0
    while at < end:
        at = split(m, at, end)
        ends[n] = at - text
        n += 1
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
