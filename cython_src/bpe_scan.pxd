"""Find pretokens window by window, and one by one where a window cannot decide."""

from libc.stdint cimport uint64_t

from bpe_chars cimport Text, trailing_zeros
from bpe_model cimport Model
from bpe_sets cimport WINDOW
from bpe_split cimport pretoken_end
from bpe_window cimport highest, window_ends

cdef enum:
    BLOCK = 320  # the most pretokens found at a time


cdef inline size_t write_places(uint64_t found, size_t start, size_t *ends) noexcept nogil:
    """Write the places that a window at `start` has found, and return their number.

    Up to WINDOW numbers after them are overwritten: eight at a time are written, so that their
    number costs no mispredicted branch."""
    cdef size_t n = 0
    cdef int i
    while found:
        for i in range(8):
            n += found != 0
            ends[i] = start + trailing_zeros(found | <uint64_t>1 << 63)
            found &= found - 1
        ends += 8
    return n


cdef inline size_t split_block(const Model *m, Text text, size_t at, size_t size,
                               size_t *ends) noexcept nogil:
    """Write the ends of the next pretokens of text[at:size], up to BLOCK; return their number.

    The ends of one window are written while the next, which begins at the last of them, is
    computed."""
    cdef uint64_t found = 0, next = 0
    cdef size_t n = 0, start = at
    while at < size and n + 2 * WINDOW <= BLOCK:
        if m.plain:
            next = window_ends(m, text + at, text + size)
        n += write_places(found, start, ends + n)
        start, found = at, next
        if found:
            at += highest(found)
        else:
            at = pretoken_end(m, text + at, text + size) - text
            ends[n] = at
            n += 1
    return n + write_places(found, start, ends + n)
