"""Checks and copies of the tables that a caller passes in.

A table may lie in memory that the kernel fills, and another thread may write to it at any time. So
overlapping memory is refused, and every table is copied once: the kernel uses exactly the values
that it checked.
"""

from libc.stdint cimport int64_t, uintptr_t
from libc.string cimport memcpy

from frame cimport OVERLAP, Cursor, Error, fail

# The barrier stops the compiler from reading the original again in place of the copy: it must
# assume that all memory has changed.
cdef extern from *:
    """
    static inline void forget_memory(void) { __asm__ volatile("" ::: "memory"); }
    """
    void forget_memory() nogil

cdef enum:  # the arguments that are memory; these numbers name them in an error
    AT_BUFFER
    AT_SPANS
    AT_SCHEMA
    AT_FIELDS
    AT_ARENA
    AT_COLUMNS
    AT_CURSOR

cdef enum:
    SMALL = 2048  # words: tables of up to this size are copied to the stack

cdef struct MemoryRange:
    int argument  # AT_BUFFER to AT_CURSOR
    bint filled   # the kernel writes to it
    const void *at
    int64_t size


cdef inline bint share_bytes(const MemoryRange *a, const MemoryRange *b) noexcept nogil:
    cdef uintptr_t first = <uintptr_t>a.at, second = <uintptr_t>b.at
    if a.size <= 0 or b.size <= 0:
        return False
    if first <= second:
        return second - first < <uintptr_t>a.size
    return first - second < <uintptr_t>b.size


cdef inline bint overlaps(const MemoryRange *ranges, int n, Error *error) noexcept nogil:
    """Return True, with the two arguments named in `error`, if memory that the kernel fills
    overlaps another argument.

    All pairs are first compared without a branch: fifteen branches would be noticeable in a call
    for a single record. An empty range within another one counts as a suspect there, and the second
    look then finds no overlap.
    """
    cdef int i, j
    cdef uintptr_t first, second
    cdef bint any_pair = False
    for i in range(n):
        first = <uintptr_t>ranges[i].at
        for j in range(i + 1, n):
            second = <uintptr_t>ranges[j].at
            any_pair |= ((ranges[i].filled | ranges[j].filled)
                         & ((second - first < <uintptr_t>ranges[i].size)
                            | (first - second < <uintptr_t>ranges[j].size)))
    if not any_pair:
        return False
    for i in range(n):
        for j in range(i + 1, n):
            if (ranges[i].filled or ranges[j].filled) and share_bytes(&ranges[i], &ranges[j]):
                fail(error, OVERLAP, 0, 0, ranges[i].argument, ranges[j].argument)
                return True
    return False


cdef inline void copy_once(void *to, const void *source, int64_t size) noexcept nogil:
    if size > 0:
        memcpy(to, source, size)
    forget_memory()


cdef inline Cursor copy_of(const Cursor *cursor) noexcept nogil:
    cdef Cursor copy
    copy_once(&copy, cursor, sizeof(Cursor))
    return copy
