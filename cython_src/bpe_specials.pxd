"""Find special tokens in a text; the work at each place hardly grows with their number."""

from libc.stdint cimport int64_t, uint8_t, uint32_t
from libc.string cimport memchr, memcmp

from bpe_interrupt cimport stopped
from bpe_model cimport NO_ID, Model
from bpe_tables cimport Token, token_of

cdef enum:
    LONGEST = 1024  # bytes of a special token

cdef enum:  # the policy for a special token
    PLAIN
    ALLOWED
    REFUSED

cdef struct SpecialMatch:
    const uint8_t *at
    size_t size
    int64_t number  # of the special token


cdef inline Token special(const Model *m, uint32_t number) noexcept nogil:
    return token_of(m, m.special_ids[number])


cdef inline size_t common_prefix(const uint8_t *a, const uint8_t *b, size_t start,
                                 size_t end) noexcept nogil:
    """Return the number of bytes that `a` and `b` share; `start` bytes are known to be equal."""
    while end - start >= 32 and memcmp(a + start, b + start, 32) == 0:
        start += 32
    while start < end and a[start] == b[start]:
        start += 1
    return start


# ---- open ----------------------------------------------------------------------------------------


cdef inline bint in_order(const Model *m, uint32_t number) noexcept nogil:
    """Return True if a special token has an allowed size, the right place and the right prefix.

    It must come after the one before it, and its entry in special_prefixes must follow from those
    before it."""
    cdef Token token = special(m, number), before
    cdef uint32_t prefix
    cdef size_t same
    if token.size == 0 or token.size > LONGEST or not m.defined[m.special_ids[number]]:
        return False
    if number == 0:
        return m.special_prefixes[0] == NO_ID
    prefix = number - 1
    before = special(m, prefix)
    same = common_prefix(token.data, before.data, 0, min(token.size, before.size))
    if same == token.size or same < before.size and token.data[same] < before.data[same]:
        return False
    while prefix != NO_ID and special(m, prefix).size > same:
        prefix = m.special_prefixes[prefix]
    return m.special_prefixes[number] == prefix


cdef inline bint open_specials(Model *m) noexcept nogil:
    """Check the order of the special tokens and store their prefixes. Return False on a fault."""
    cdef Token first, last
    cdef uint32_t i
    for i in range(256):
        m.special_starts[i] = False
    m.n_common = 0
    for i in range(m.n_special):
        if not in_order(m, i):
            return False
        m.special_starts[special(m, i).data[0]] = True
    if m.n_special > 0:  # all tokens share what the first and the last in order share
        first = special(m, 0)
        last = special(m, m.n_special - 1)
        m.n_common = common_prefix(first.data, last.data, 0, min(first.size, last.size))
    return True


# ---- find ----------------------------------------------------------------------------------------


cdef inline bint any_special(const Model *m, const uint8_t *policy, int wanted) noexcept nogil:
    return policy != NULL and m.n_special > 0 and memchr(policy, wanted, m.n_special) != NULL


cdef inline int64_t special_at(const Model *m, const uint8_t *policy, int wanted, const uint8_t *at,
                               const uint8_t *end) noexcept nogil:
    """Return the number of the longest special token at `at` with the wanted policy, or -1.

    Let the last token that does not sort after the text be t. Every token that the text starts with
    is t or a prefix of t: "<|a|>" <= "<|a|>b" <= "<|a|>bx..." < "<|a|>c"."""
    cdef size_t left = end - at, same, same_low = 0, same_high = 0
    cdef uint32_t low = 0, high = m.n_special, middle  # tokens before `low` precede the text
    cdef Token token
    while low < high:
        middle = low + (high - low) // 2
        token = special(m, middle)
        same = common_prefix(token.data, at, min(same_low, same_high), min(token.size, left))
        if same == token.size or same < left and token.data[same] < at[same]:
            low = middle + 1
            same_low = same
        else:
            high = middle
            same_high = same
    low -= 1  # NO_ID if it was 0
    while low != NO_ID and (special(m, low).size > same_low or policy[low] != wanted):
        low = m.special_prefixes[low]
    return -1 if low == NO_ID else <int64_t>low


cdef inline bint find_special(const Model *m, const uint8_t *policy, int wanted, const uint8_t *at,
                              const uint8_t *end, SpecialMatch *found) noexcept nogil:
    """Find the leftmost special token with the wanted policy, the longest on a tie."""
    cdef const uint8_t *common = special(m, 0).data
    cdef size_t n_common = m.n_common
    while at < end and not stopped(m.interrupt):
        if n_common > 0:
            at = <const uint8_t *>memchr(at, common[0], end - at)
            if at == NULL or <size_t>(end - at) < n_common:
                return False
        if m.special_starts[at[0]] and memcmp(at, common, n_common) == 0:
            found.number = special_at(m, policy, wanted, at, end)
            if found.number >= 0:
                found.at = at
                found.size = special(m, <uint32_t>found.number).size
                return True
        at += 1
    return False
