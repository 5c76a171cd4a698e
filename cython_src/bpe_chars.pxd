"""A text as a sequence of characters, each in one of the classes of docs/tokenizer.md."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from bpe_model cimport INDEX_SIZE, Model
from bytes_le cimport load64
from utf8 cimport code_point

cdef extern from *:
    """
    #define EACH UINT64_C(0x0101010101010101)  // in each byte of a word
    #define HIGH (0x80 * EACH)                 // the highest bit
    #define FOLD (0x20 * EACH)                 // what tells the cases of ASCII apart
    #define trailing_zeros(bits) __builtin_ctzll(bits)
    """
    const uint64_t EACH, HIGH, FOLD
    int trailing_zeros(uint64_t bits) nogil

cdef enum:  # sets of the classes of docs/tokenizer.md, a bit each
    OTHER = 1 << 0
    UPPER = 1 << 1
    LOWER = 1 << 2
    LETTER = 1 << 3
    MARK = 1 << 4
    NUMBER = 1 << 5
    SPACE = 1 << 6
    LETTERS = UPPER | LOWER | LETTER
    HEAD = UPPER | LETTER | MARK  # of a word, in o200k
    TAIL = LOWER | LETTER | MARK

ctypedef const uint8_t *Text


cdef inline int wide_class(const Model *m, Text at, Text end, Text *next) noexcept nogil:
    cdef int size = 1
    cdef uint32_t c = code_point(at, end - at, &size), block
    next[0] = at + size
    block = m.unicode_index[c >> 7] if c >> 7 < INDEX_SIZE else 0
    return 1 << m.unicode_blocks[block << 7 | c & 127]


cdef inline int class_at(const Model *m, Text at, Text end, Text *next) noexcept nogil:
    """Return the class of the character at `at` as a set of one, or 0 at the end; set `next`."""
    if at >= end:
        next[0] = end
        return 0
    if at[0] >= 0x80:
        return wide_class(m, at, end, next)
    next[0] = at + 1
    return m.ascii[at[0]]


cdef inline Text skip(const Model *m, Text at, Text end, int classes) noexcept nogil:
    """Return the end of the run of characters of these classes."""
    cdef Text next = at
    while class_at(m, at, end, &next) & classes:
        at = next
    return at


cdef inline Text skip_ascii(const Model *m, Text at, Text end, uint64_t fold) noexcept nogil:
    """Return the end of the run of a-z, or with FOLD of letters, or an earlier place.

    It tests eight bytes at a time, so that the length of a word costs no mispredicted branch."""
    cdef uint64_t bytes, low, others  # the highest bit of each byte that is not a letter
    while m.plain and end - at >= 8:
        bytes = load64(at) | fold
        low = bytes & ~HIGH
        others = (~(low + (0x80 - c'a') * EACH) | low + (0x7f - c'z') * EACH | bytes) & HIGH
        if others:
            return at + (trailing_zeros(others) >> 3)
        at += 8
    return at


cdef inline Text skip_letters(const Model *m, Text at, Text end) noexcept nogil:
    return skip(m, skip_ascii(m, at, end, FOLD), end, LETTERS)


cdef inline bint is_newline(uint8_t c) noexcept nogil:
    return c == c'\r' or c == c'\n'


cdef inline Text contraction(Text at, Text end) noexcept nogil:
    """Return the end of (?i:'s|'t|'re|'ve|'m|'ll|'d), or `at`. U+017F is an s."""
    cdef uint8_t first, second
    if end - at < 2 or at[0] != c"'":
        return at
    first = at[1] | 32
    second = at[2] | 32 if end - at > 2 else 0
    if first == c's' or first == c't' or first == c'm' or first == c'd':
        return at + 2
    if ((first == c'r' or first == c'v') and second == c'e' or first == c'l' and second == c'l'
            or end - at > 2 and at[1] == 0xc5 and at[2] == 0xbf):
        return at + 3
    return at


cdef inline Text gpt2_contraction(Text at, Text end) noexcept nogil:
    """Return the end of '(?:[sdmt]|ll|ve|re), or `at`."""
    cdef Text after = contraction(at, end)
    # It is lower case and ASCII: bit 32 is set in every byte but the quote.
    if after != at and at[1] & 32 and at[1] < 0x80 and (after - at < 3 or at[2] & 32):
        return after
    return at
