"""The pre-tokenizer's patterns, written by hand.

The comments quote the alternatives of docs/tokenizer.md in the order in which they are tried."""

from libc.stdint cimport uint32_t

from bpe_chars cimport (
    HEAD, LETTERS, MARK, NUMBER, OTHER, SPACE, TAIL, Text, class_at, contraction, gpt2_contraction,
    is_newline, skip, skip_ascii, skip_letters
)
from bpe_model cimport Model


# ---- alternatives that patterns share ------------------------------------------------------------


cdef inline Text white_space(const Model *m, Text at, Text end, bint newlines) noexcept nogil:
    r"""Match \s*[\r\n]+ if `newlines`, then \s+(?!\S), then \s+."""
    cdef Text last = at, next = at, start = at, newline = at
    while class_at(m, at, end, &next) & SPACE:
        if is_newline(at[0]):
            newline = next
        last = at
        at = next
    if newlines and newline != start:
        return newline
    return at if at == end or last == start else last


cdef inline Text digits(const Model *m, Text at, Text end) noexcept nogil:
    """Match \\p{N}{1,max_digits}."""
    cdef Text next = at
    cdef uint32_t n = 0
    while (m.max_digits == 0 or n < m.max_digits) and class_at(m, at, end, &next) & NUMBER:
        at = next
        n += 1
    return at


cdef inline Text symbols(const Model *m, Text at, Text end, bint slash) noexcept nogil:
    r"""Return the end of ` ?[^\s\p{L}\p{N}]+[\r\n]*` (or `[\r\n/]*`), or `at`."""
    cdef Text start = at + (at[0] == c' '), after
    after = skip(m, start, end, OTHER | MARK)
    if after == start:
        return at
    while after < end and (is_newline(after[0]) or slash and after[0] == c'/'):
        after += 1
    return after


# ---- the patterns --------------------------------------------------------------------------------


cdef inline Text split_gpt2(const Model *m, Text at, Text end) noexcept nogil:
    cdef Text start, next, after = contraction(at, end)
    cdef int kind
    # '(?:[sdmt]|ll|ve|re), in lower case and ASCII only: bit 32 is set in every byte but the quote
    if after != at and at[1] & 32 and at[1] < 0x80 and (after - at < 3 or at[2] & 32):
        return after
    start = at + (at[0] == c' ')
    kind = class_at(m, start, end, &next)
    if kind & LETTERS:  #  ?\p{L}+
        return skip_letters(m, next, end)
    if kind & NUMBER:  #  ?\p{N}+
        return skip(m, next, end, NUMBER)
    if kind & (OTHER | MARK):  #  ?[^\s\p{L}\p{N}]+
        return skip(m, next, end, OTHER | MARK)
    return white_space(m, at, end, False)


cdef inline Text split_cl100k(const Model *m, Text at, Text end) noexcept nogil:
    cdef Text second, third, after = contraction(at, end)
    cdef int kind
    if after != at:
        return after
    kind = class_at(m, at, end, &second)
    if kind & LETTERS:  # [^\r\n\p{L}\p{N}]?\p{L}+
        return skip_letters(m, second, end)
    if kind & NUMBER:  # \p{N}{1,3}
        return digits(m, at, end)
    if not is_newline(at[0]) and class_at(m, second, end, &third) & LETTERS:
        return skip_letters(m, third, end)
    after = symbols(m, at, end, False)
    return after if after != at else white_space(m, at, end, True)


cdef inline Text words(const Model *m, Text at, Text end, bint *with_tail) noexcept nogil:
    """Return the end of HEAD*TAIL+, else of HEAD+TAIL*, or `at` if neither matches."""
    cdef Text next = at, start = at, last_tail = at
    cdef int kind = class_at(m, at, end, &next)
    while kind & HEAD:
        at = next
        if kind & TAIL:
            last_tail = at
        kind = class_at(m, at, end, &next)
    with_tail[0] = True
    if kind & TAIL:
        return skip(m, skip_ascii(m, next, end, 0), end, TAIL)
    if last_tail != start:  # HEAD* leaves the last tail to TAIL+
        return last_tail
    with_tail[0] = False
    return at


cdef inline Text split_o200k(const Model *m, Text at, Text end) noexcept nogil:
    cdef Text second = at, third = at, with_prefix = at, after = at
    cdef bint tail = False, prefix_tail = False
    cdef int kind = class_at(m, at, end, &second)
    if kind & NUMBER:
        return digits(m, at, end)
    # [^\r\n\p{L}\p{N}]?HEAD*TAIL+(contraction)?, then [^\r\n\p{L}\p{N}]?HEAD+TAIL*(contraction)?;
    # each of them first with the character before, then without
    if (kind & (OTHER | MARK | SPACE) and not is_newline(at[0])
            and class_at(m, second, end, &third) & (LETTERS | MARK)):
        with_prefix = words(m, second, end, &prefix_tail)
    if kind & (LETTERS | MARK) and not prefix_tail:
        after = words(m, at, end, &tail)
    if prefix_tail or with_prefix != at and not tail:
        after = with_prefix
    if after != at:
        return contraction(after, end)
    after = symbols(m, at, end, True)
    return after if after != at else white_space(m, at, end, True)


cdef inline Text pretoken_end(const Model *m, Text at, Text end) noexcept nogil:
    """Return the end of the pretoken that begins at `at`, before the end.

    It is at least one byte later, even if the model has odd classes or another thread changes the
    text."""
    cdef Text after
    if m.pattern == 1:
        after = split_gpt2(m, at, end)
    elif m.pattern == 2:
        after = split_cl100k(m, at, end)
    else:
        after = split_o200k(m, at, end)
    return after if after > at else at + 1
