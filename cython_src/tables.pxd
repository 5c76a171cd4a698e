"""What a call was given, checked and copied before anything steers by it.

A table may lie in memory that the kernel fills, and another thread may write to it at any time. So
memory that overlaps is refused, and every table is copied, once: what was checked is what is
used."""

from libc.stdint cimport int64_t, uintptr_t
from libc.string cimport memcpy

from frame cimport OVERLAP, Cursor, Error, fail

# The compiler must not read the original again after the copy, in place of it: it has to assume that
# this changes all memory.
cdef extern from *:
    """
    static inline void forget_memory(void) { __asm__ volatile("" ::: "memory"); }
    """
    void forget_memory() nogil

cdef enum:  # the arguments that are memory, in the order in which an error names them
    AT_BUFFER
    AT_SPANS
    AT_SCHEMA
    AT_FIELDS
    AT_ARENA
    AT_COLUMNS
    AT_CURSOR

cdef enum:
    SMALL = 2048  # words: what a small table takes is on the stack

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
    """Whether memory that the kernel fills overlaps anything else: then `error` names the two.

    All pairs are compared without a branch first, as fifteen would be felt in a call for a single
    record. An empty range within another one counts there, and is only then seen not to overlap."""
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
