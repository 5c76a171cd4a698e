"""Look-ups in a model's tables, whose contents they check: none reads outside the blob."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memcmp, memcpy, memset

from bpe_model cimport K1, K2, NO_ID, NO_PAIR, SHORT, Model
from bytes_le cimport load64

cdef extern from *:
    """
    #define NONE 0, 0, 0, 0, 0, 0, 0, 0
    #define SOME 0xFF, 0xFFFF, 0xFFFFFF, 0xFFFFFFFF, 0xFFFFFFFFFF, 0xFFFFFFFFFFFF, 0xFFFFFFFFFFFFFF
    #define ALL UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX
    // The bytes of the two words of a key that a pretoken of n bytes fills.
    static const uint64_t first_bytes[16] = {0, SOME, ALL, ALL}, second_bytes[16] = {NONE, 0, SOME};
    #define prefetch(at) __builtin_prefetch(at)
    """
    const uint64_t *first_bytes
    const uint64_t *second_bytes
    void prefetch(const void *at) nogil

cdef struct Token:
    const uint8_t *data
    size_t size

cdef struct Key:  # a short pretoken padded with zeros, its size as byte 16; or long_key
    uint64_t low, high, hash


# ---- tokens --------------------------------------------------------------------------------------


cdef inline Token token_of(const Model *m, uint32_t id) noexcept nogil:
    """Return the bytes of an id, or none if the model does not have it."""
    cdef uint32_t start, end
    if id >= m.n_ids:
        return Token(m.token_bytes, 0)
    start = m.token_offsets[id]
    end = m.token_offsets[id + 1]
    if start > end or end > m.token_offsets[m.n_ids]:
        return Token(m.token_bytes, 0)
    return Token(m.token_bytes + start, end - start)


cdef inline uint64_t long_hash(const uint8_t *pretoken, size_t size) noexcept nogil:
    """Hash the words of eight bytes, the last one padded."""
    cdef uint64_t hash = size, word
    cdef size_t at
    for at in range(0, size, 8):
        word = 0
        memcpy(&word, pretoken + at, min(size - at, <size_t>8))
        hash = (hash ^ word) * K1
        hash ^= hash >> 32
    return hash


cdef inline uint64_t hash_of(uint64_t low, uint64_t high) noexcept nogil:
    return low * K1 + high * K2


cdef inline Key long_key(const uint8_t *pretoken, size_t size) noexcept nogil:
    """Return the key of a pretoken of more than SHORT bytes: a hash, its size, and SHORT + 1."""
    cdef uint64_t low = long_hash(pretoken, size), high = size | <uint64_t>(SHORT + 1) << 56
    return Key(low, high, hash_of(low, high))


cdef inline bint is_long(Key key) noexcept nogil:
    return key.high >> 56 > SHORT


cdef inline Key key_of(const uint8_t *pretoken, size_t size, const uint8_t *end) noexcept nogil:
    """Return the key of a pretoken; the text is readable up to `end`."""
    cdef uint8_t[16] padded
    cdef uint64_t low, high
    if size > SHORT:
        return long_key(pretoken, size)
    if end - pretoken < 16:
        memset(padded, 0, sizeof(padded))
        memcpy(padded, pretoken, end - pretoken)
        pretoken = padded
    low = load64(pretoken) & first_bytes[size]
    high = load64(pretoken + 8) & second_bytes[size] | <uint64_t>size << 56
    return Key(low, high, hash_of(low, high))


cdef inline void expect_short(const Model *m, Key key) noexcept nogil:
    """Prefetch the memory that find_short will read."""
    prefetch(m.short_keys + 16 * (key.hash >> (64 - m.short_bits)))
    prefetch(m.short_ids + (key.hash >> (64 - m.short_bits)))


cdef inline uint32_t find_short(const Model *m, Key key) noexcept nogil:
    """Return the token's id, or NO_ID."""
    cdef uint64_t slot = key.hash >> (64 - m.short_bits), step
    cdef uint64_t mask = (<uint64_t>1 << m.short_bits) - 1
    cdef const uint8_t *entry
    for step in range(mask + 1):
        entry = m.short_keys + 16 * slot
        if load64(entry) == key.low and load64(entry + 8) == key.high:
            return m.short_ids[slot]
        if entry[15] == 0:
            return NO_ID
        slot = (slot + 1) & mask
    return NO_ID


cdef inline uint32_t find_long(const Model *m, uint64_t hash, const uint8_t *pretoken,
                               size_t size) noexcept nogil:
    """Return the id of the token of more than SHORT bytes with this long_hash, or NO_ID."""
    cdef uint64_t mask = (<uint64_t>1 << m.long_bits) - 1, slot = hash >> (64 - m.long_bits), step
    cdef Token token
    for step in range(mask + 1):
        if m.long_ids[slot] == 0:
            return NO_ID
        token = token_of(m, m.long_ids[slot] - 1)
        if token.size == size and memcmp(token.data, pretoken, size) == 0:
            return m.long_ids[slot] - 1
        slot = (slot + 1) & mask
    return NO_ID


# ---- pairs ---------------------------------------------------------------------------------------


cdef inline uint32_t merged_id(const Model *m, uint32_t rank) noexcept nogil:
    """Return the id that a merge of this rank gives."""
    return m.merged[rank] if rank < m.n_merged else rank


cdef inline uint32_t byte_pair_rank(const Model *m, const uint8_t *two) noexcept nogil:
    """Return the `pair_rank` of two bytes."""
    cdef uint32_t rank = m.byte_pairs[<size_t>two[0] << 8 | two[1]]
    return rank if rank >> 21 == 0 else NO_ID


cdef inline uint32_t pair_rank(const Model *m, uint32_t left, uint32_t right) noexcept nogil:
    """Return the rank of merging two ids, or NO_ID."""
    cdef uint64_t key = <uint64_t>left << 21 | right, step, mask = (<uint64_t>1 << m.pair_bits) - 1
    cdef uint64_t place = key * K1 >> (62 - m.pair_bits), slot = place >> 2
    if not m.pair_filter[place >> 3] >> (place & 7) & 1:
        return NO_ID
    for step in range(mask + 1):
        if m.pairs[slot] == NO_PAIR:
            break
        if m.pairs[slot] >> 21 == key:
            return m.pairs[slot] & 0x1FFFFF
        slot = (slot + 1) & mask
    return NO_ID
