"""Find all pretokens that begin in 64 bytes at once.

The rules of bpe_split become sums, shifts and masks of the window's sets. A window begins where a
pretoken does, so nothing is carried from one to the next."""

from libc.stdint cimport uint64_t

from bpe_chars cimport Text, contraction, gpt2_contraction, trailing_zeros
from bpe_model cimport Model
from bpe_sets cimport WINDOW, Sets, add_wide, first_bits, keep_first, sets_of

cdef extern from *:
    """
    #define leading_zeros(bits) __builtin_clzll(bits)
    """
    int leading_zeros(uint64_t bits) nogil

cdef enum:
    AHEAD = 3  # bytes after an end that may determine it: a contraction's


cdef inline uint64_t firsts(uint64_t rows) noexcept nogil:
    """Return the first of each run."""
    return rows & ~(rows << 1)


cdef inline size_t highest(uint64_t set) noexcept nogil:
    return WINDOW - 1 - leading_zeros(set)


# ---- where pretokens begin -----------------------------------------------------------------------


cdef inline uint64_t with_contraction(uint64_t starts, size_t place, size_t size) noexcept nogil:
    """Mark a contraction: nothing begins within it, something after it."""
    starts &= ~(first_bits(size - 1) << place << 1)
    return starts | <uint64_t>1 << (place + size) if place + size < WINDOW else starts


cdef inline uint64_t gpt2_starts(Text at, Text end, const Sets *s, uint64_t valid) noexcept nogil:
    cdef uint64_t letters = s.upper | s.lower | s.letter, solid = valid & ~s.white
    cdef uint64_t starts = firsts(letters) | firsts(s.number) | firsts(solid & ~letters & ~s.number)
    cdef uint64_t quotes
    cdef size_t place, size
    # The last white space of a run does not belong to it; a space belongs to the next pretoken.
    starts = starts & ~(s.blank << 1) | firsts(s.white) | s.white & solid >> 1
    quotes = s.quote & starts & letters >> 1
    while quotes:
        place = trailing_zeros(quotes)
        quotes &= quotes - 1
        size = gpt2_contraction(at + place, end) - (at + place)
        if size > 0:
            starts = with_contraction(starts, place, size)
    return starts


cdef inline uint64_t number_starts(uint64_t number, size_t most) noexcept nogil:
    """Find the starts of \\p{N}{1,most}."""
    cdef uint64_t starts = firsts(number), late = number, next
    cdef size_t i
    if most == 0 or most >= WINDOW:
        return starts
    for i in range(1, most + 1):
        late &= number << i  # `most` numbers come before
    next = starts << most & late
    while next:
        starts |= next
        next = next << most & late
    return starts


cdef inline uint64_t white_starts(uint64_t white, uint64_t newline, uint64_t valid) noexcept nogil:
    r"""Find the starts of \s*[\r\n]+|\s+(?!\S)|\s+."""
    cdef uint64_t inlines = white & ~newline, rows = firsts(inlines)
    cdef uint64_t breaks = inlines + rows & newline
    cdef uint64_t starts = firsts(white) | inlines & (valid & ~white) >> 1
    while breaks:  # a run before a line break belongs to the pretoken before it
        rows &= ~(<uint64_t>1 << highest(rows & first_bits(trailing_zeros(breaks))))
        breaks &= breaks - 1
    return starts | rows


cdef inline uint64_t modern_starts(const Model *m, Text at, Text end, const Sets *s, uint64_t valid,
                                   bint cased) noexcept nogil:
    """Find the starts of cl100k, or of o200k if `cased`."""
    cdef uint64_t letters = s.upper | s.lower | s.letter
    cdef uint64_t signs = valid & ~(letters | s.number | s.white)
    # Line breaks after signs belong to them: adding to the first of a run clears all of it.
    cdef uint64_t after_signs = s.newline & ~(s.newline + (s.newline & signs << 1))
    cdef uint64_t white = s.white & ~after_signs, newline = s.newline & ~after_signs
    cdef uint64_t sign_starts = firsts(signs) & ~(s.blank << 1), before_word = sign_starts
    cdef uint64_t starts, quotes
    cdef size_t place, after = 0, size
    cdef int i
    if s.inner:
        for i in range(3):  # the whole first character
            before_word |= before_word << 1 & s.inner
    before_word |= white & ~newline
    starts = (sign_starts | firsts(letters) & ~(before_word << 1)
              | number_starts(s.number, m.max_digits) | white_starts(white, newline, valid))
    quotes = s.quote & letters >> 1
    if cased:
        starts |= s.upper & ~s.inner & s.lower << 1
        quotes &= letters << 1
    else:
        quotes &= sign_starts
    while quotes:
        place = trailing_zeros(quotes)
        quotes &= quotes - 1
        size = contraction(at + place, end) - (at + place)
        if size == 0 or cased and place == after:  # a word has only one contraction
            continue
        if cased:
            starts &= ~(<uint64_t>1 << place)
            after = place + size
        starts = with_contraction(starts, place, size)
    return starts


# ---- where they end ------------------------------------------------------------------------------


cdef inline uint64_t window_ends(const Model *m, Text at, Text end) noexcept nogil:
    """Return the ends of pretokens in the window at `at`, which is before the end of the text.

    Only ends that its bytes decide are returned, possibly none."""
    cdef size_t left = end - at, size = min(left, <size_t>WINDOW), n = size, sure
    cdef Sets sets = sets_of(at, left, m.pattern)
    cdef uint64_t starts, hard, valid, solid
    if sets.wide:
        n = add_wide(m, at, end, &sets, n, m.pattern)
    if m.pattern == 3:
        # A slash after a line break continues signs, and the word of a capital after a letter
        # without case depends on later bytes.
        hard = sets.slash & sets.newline << 1 | sets.upper & ~sets.inner & sets.letter << 1
        if hard:
            n = min(n, <size_t>trailing_zeros(hard))
    valid = first_bits(n)
    if n < size:
        keep_first(&sets, n)
    if m.pattern == 1:
        starts = gpt2_starts(at, end, &sets, valid)
    else:
        starts = modern_starts(m, at, end, &sets, valid, m.pattern == 3)
    starts &= ~<uint64_t>1
    if n == left and n < WINDOW:
        return starts | <uint64_t>1 << n
    if n <= AHEAD:
        return 0
    # White space at the window's end may continue, and then its pretoken ends a byte earlier.
    solid = valid & ~sets.white
    sure = min(n - AHEAD - 1, highest(solid) + 1 if solid else 0)
    return starts & first_bits(sure + 1)
