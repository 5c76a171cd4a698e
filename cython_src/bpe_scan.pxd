"""The pieces of a text, many at a time: window by window, and one by one where a window cannot tell."""

from libc.stdint cimport uint64_t

from bpe_chars cimport Text, trailing_zeros
from bpe_model cimport Model
from bpe_sets cimport WINDOW
from bpe_split cimport split_piece
from bpe_window cimport highest, window_ends

cdef enum:
    BLOCK = 320  # pieces split at a time


cdef inline size_t write_places(uint64_t found, size_t start, size_t *ends) noexcept nogil:
    """The places that a window at `start` has found; how many. Anything behind them, up to WINDOW:
    eight at a time, so that how many they are costs no mispredicted branch."""
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
    """Where the next pieces of text[at:size] end, BLOCK at most; how many they are. Those of one window
    are written while the next, which begins at the last of them, is worked out."""
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
            at = split_piece(m, text + at, text + size) - text
            ends[n] = at
            n += 1
    return n + write_places(found, start, ends + n)
