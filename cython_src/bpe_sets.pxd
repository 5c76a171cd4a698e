"""The kinds of bytes in a window of 64: a set for each kind that a pattern asks for.

It works on eight bytes at a time, each as eight bits in a word of 64 that do not carry into the
next: no vectors are needed. The words hold every eighth byte, so that a result needs only one shift
to be in its place."""

from libc.stdint cimport uint64_t
from libc.string cimport memcpy, memset

from bpe_chars cimport (
    EACH, FOLD, HIGH, LETTER, LOWER, MARK, NUMBER, SPACE, UPPER, Text, trailing_zeros, wide_class
)
from bpe_model cimport Model
from bytes_le cimport load64

cdef enum:
    WINDOW = 64

cdef struct Sets:  # bit i: byte i belongs to a character of the kind
    uint64_t upper, lower, letter  # letter: without case
    uint64_t number, white, blank, newline, slash, quote
    uint64_t wide, inner  # >= 0x80; and not the first byte of its character


cdef inline uint64_t first_bits(size_t n) noexcept nogil:
    return (<uint64_t>1 << n) - 1 if n < WINDOW else ~<uint64_t>0


# ---- from bytes ----------------------------------------------------------------------------------


cdef inline void exchange(uint64_t *a, uint64_t *b, int bits, uint64_t mask) noexcept nogil:
    """Swap the bits of `a` at `mask << bits` with those of `b` at `mask`."""
    cdef uint64_t change = (a[0] >> bits ^ b[0]) & mask
    b[0] ^= change
    a[0] ^= change << bits


cdef inline void transpose(uint64_t *words) noexcept nogil:
    """Transpose the bytes: byte i of word k becomes byte k of word i."""
    cdef int i
    for i in range(4):
        exchange(words + i, words + i + 4, 32, <uint64_t>0x00000000ffffffff)
    for i in range(2):
        exchange(words + i, words + i + 2, 16, <uint64_t>0x0000ffff0000ffff)
        exchange(words + i + 4, words + i + 6, 16, <uint64_t>0x0000ffff0000ffff)
    for i in range(4):
        exchange(words + 2 * i, words + 2 * i + 1, 8, <uint64_t>0x00ff00ff00ff00ff)


cdef inline uint64_t those(const uint64_t *words, int first, int last, uint64_t fold) noexcept nogil:
    """Return the bytes from `first` to `last`, which are ASCII, after `fold` is set in all."""
    cdef uint64_t found = 0, low
    cdef int i
    for i in range(8):
        low = (words[i] | fold) & ~HIGH
        low = (low + (0x80 - first) * EACH) ^ (low + (0x7f - last) * EACH)
        found |= (low & ~words[i] & HIGH) >> (7 - i)
    return found


cdef inline Sets sets_of(Text at, size_t left, int pattern) noexcept nogil:
    """Find the kinds of ASCII; `left` is the number of bytes if there are fewer than 64."""
    cdef uint64_t[8] words
    cdef uint64_t[8] padded
    cdef Sets sets
    cdef int i
    if left < WINDOW:
        memset(padded, 0, sizeof(padded))
        memcpy(padded, at, left)
        at = <Text>padded
    for i in range(8):
        words[i] = load64(at + 8 * i)
    transpose(words)
    memset(&sets, 0, sizeof(sets))
    for i in range(8):
        sets.wide |= (words[i] & HIGH) >> (7 - i)
    sets.number = those(words, c'0', c'9', 0)
    sets.blank = those(words, c' ', c' ', 0)
    sets.white = sets.blank | those(words, c'\t', c'\r', 0)
    sets.quote = those(words, c"'", c"'", 0)
    if pattern != 1:
        sets.newline = those(words, c'\n', c'\n', 0) | those(words, c'\r', c'\r', 0)
    if pattern == 3:
        sets.lower = those(words, c'a', c'z', 0)
        sets.upper = those(words, c'A', c'Z', 0)
        sets.slash = those(words, c'/', c'/', 0)
    else:
        sets.lower = those(words, c'a', c'z', FOLD)
    if sets.wide:
        for i in range(8):
            sets.inner |= (words[i] & ~(words[i] << 1) & HIGH) >> (7 - i)
    return sets


# ---- characters of more than a byte --------------------------------------------------------------


cdef inline size_t add_wide(const Model *m, Text at, Text end, Sets *sets, size_t n,
                            int pattern) noexcept nogil:
    """Add the characters among the first n bytes, up to one that extends past them or is too hard.

    Return its place, else n. Too hard are white space, numbers that are counted and, in o200k, a
    mark that does not follow a letter."""
    cdef uint64_t[7] of
    cdef uint64_t firsts = sets.wide & ~sets.inner, word
    cdef int kind, hard = SPACE | (NUMBER if pattern != 1 and m.max_digits != 0 else 0)
    cdef size_t place, size
    cdef Text next
    memset(of, 0, sizeof(of))
    while firsts:
        place = trailing_zeros(firsts)
        firsts &= firsts - 1
        kind = wide_class(m, at + place, end, &next)
        size = next - at - place
        if kind & hard or place + size > n:
            n = place
            break
        if pattern == 3 and kind == MARK:
            word = sets.upper | sets.lower | of[1] | of[2] | of[3]
            if place == 0 or not word >> (place - 1) & 1:
                n = place
                break
            kind = LETTER
        of[trailing_zeros(kind)] |= first_bits(size) << place
    sets.upper |= of[1]
    sets.lower |= of[2]
    sets.letter |= of[3]
    sets.number |= of[5]
    return n


cdef inline void keep_first(Sets *sets, size_t n) noexcept nogil:
    """Drop all but the first n bytes."""
    cdef uint64_t valid = first_bits(n)
    sets.upper &= valid
    sets.lower &= valid
    sets.letter &= valid
    sets.number &= valid
    sets.white &= valid
    sets.blank &= valid
    sets.newline &= valid
    sets.slash &= valid
    sets.quote &= valid
    sets.inner &= valid
