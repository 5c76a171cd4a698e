"""Records of a fixed layout into columns. docs/records.md is the specification.

The leaves are gathered one after the other, but only for some rows at a time. A block of records
stays in the cache while its leaves are gathered, and each column is written front to back.

    records   a0 b0 | a1 b1 | a2 b2 | ..
    columns   a0 a1 a2 ..        b0 b1 b2 ..
"""

cimport cython
from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

from frame cimport (
    ARGUMENT, FINAL, FIXED_REMAINDER, OK, OUT_OF_MEMORY, OVERLAP, Cursor, Error, bad_argument, fail,
    is_sane, misaligned
)
from tables cimport (
    AT_ARENA, AT_BUFFER, AT_CURSOR, AT_FIELDS, SMALL, MemoryRange, copy_of, copy_once, overlaps
)

cdef extern from *:
    uint16_t __builtin_bswap16(uint16_t) nogil
    uint32_t __builtin_bswap32(uint32_t) nogil
    uint64_t __builtin_bswap64(uint64_t) nogil

cdef enum:
    BLOCK_BYTES = 16384

cdef struct Leaf:
    int64_t offset, unit, count, swap, column

ctypedef fused scalar:
    uint8_t
    uint16_t
    uint32_t
    uint64_t


cdef inline scalar swapped(scalar value) noexcept nogil:
    if scalar is uint16_t:
        return __builtin_bswap16(value)
    elif scalar is uint32_t:
        return __builtin_bswap32(value)
    elif scalar is uint64_t:
        return __builtin_bswap64(value)
    else:
        return value


cdef inline void gather(scalar *to, const uint8_t *source, int64_t stride, int64_t rows,
                        int64_t count, bint swap) noexcept nogil:
    cdef int64_t row, i
    cdef scalar value
    for row in range(rows):
        if swap or count == 1:
            for i in range(count):
                memcpy(&value, source + i * sizeof(scalar), sizeof(scalar))
                to[i] = swapped(value) if swap else value
        else:
            memcpy(to, source, count * sizeof(scalar))
        to += count
        source += stride


cdef inline void gather_leaf(const Leaf *leaf, uint8_t *to, const uint8_t *source, int64_t stride,
                             int64_t rows) noexcept nogil:
    if leaf.unit == 1:
        gather(to, source, stride, rows, leaf.count, False)
    elif leaf.unit == 2:
        gather(<uint16_t *>to, source, stride, rows, leaf.count, leaf.swap != 0)
    elif leaf.unit == 4:
        gather(<uint32_t *>to, source, stride, rows, leaf.count, leaf.swap != 0)
    else:
        gather(<uint64_t *>to, source, stride, rows, leaf.count, leaf.swap != 0)


@cython.cdivision(True)
cdef inline bint is_sane_leaf(const Leaf *leaf, int64_t record_size, int64_t arena_size,
                              int64_t *taken, int64_t max_records) noexcept nogil:
    """`taken` is the end of the columns before this leaf's, and becomes the end of its own."""
    if leaf.unit != 1 and leaf.unit != 2 and leaf.unit != 4 and leaf.unit != 8:
        return False
    if not (0 <= leaf.offset <= record_size
            and 0 <= leaf.count <= (record_size - leaf.offset) // leaf.unit):
        return False
    if not taken[0] <= leaf.column <= arena_size or leaf.column & 7 != 0:
        return False
    if leaf.count > 0 and max_records > (arena_size - leaf.column) // (leaf.unit * leaf.count):
        return False
    taken[0] = leaf.column + leaf.unit * leaf.count * max_records
    return True


@cython.cdivision(True)
cdef inline int decode(const uint8_t *buffer, int64_t size, int64_t record_size, const Leaf *leaves,
                       int64_t n_leaves, uint8_t *arena, int64_t arena_size, int64_t max_records,
                       uint32_t options, Cursor *at, Error *error) noexcept nogil:
    cdef const uint8_t *records
    cdef const Leaf *leaf
    cdef int64_t left, rows, block, i, taken = 0
    for i in range(n_leaves):
        if not is_sane_leaf(&leaves[i], record_size, arena_size, &taken, max_records):
            return bad_argument(error)

    block = max(1, BLOCK_BYTES // record_size)
    while at.rows < max_records:
        left = size - at.position
        rows = min(left // record_size, min(block, max_records - at.rows))
        if rows == 0:
            if left == 0 or not options & FINAL:
                return OK
            return fail(error, FIXED_REMAINDER, at.base + at.position, at.record, record_size, left)
        records = buffer + at.position
        for i in range(n_leaves):
            leaf = &leaves[i]
            gather_leaf(leaf, arena + leaf.column + at.rows * leaf.count * leaf.unit,
                        records + leaf.offset, record_size, rows)
        at.position += rows * record_size
        at.record += rows
        at.rows += rows
    return OK


cdef inline int decode_fixed_kernel(const uint8_t *buffer, int64_t size, int64_t record_size,
                                    const Leaf *leaves, int64_t n_leaves, uint8_t *arena,
                                    int64_t arena_size, int64_t max_records, uint32_t options,
                                    Cursor *cursor, Error *error) noexcept nogil:
    cdef MemoryRange[4] ranges
    cdef int64_t[SMALL] small
    cdef int64_t table_size = n_leaves * <int64_t>sizeof(Leaf)
    cdef void *allocated = NULL
    cdef Leaf *copies = <Leaf *>small
    cdef Cursor at
    cdef int code
    ranges[0] = MemoryRange(AT_BUFFER, False, buffer, size)
    ranges[1] = MemoryRange(AT_FIELDS, False, leaves, table_size)
    ranges[2] = MemoryRange(AT_ARENA, True, arena, arena_size)
    ranges[3] = MemoryRange(AT_CURSOR, True, cursor, sizeof(Cursor))
    if overlaps(ranges, 4, error):
        return OVERLAP
    at = copy_of(cursor)
    if record_size < 1 or misaligned(arena, arena_size) or not is_sane(&at, size, max_records):
        return bad_argument(error)
    if table_size > <int64_t>sizeof(small):
        allocated = malloc(table_size)
        copies = <Leaf *>allocated
    if copies == NULL:
        return fail(error, OUT_OF_MEMORY, 0, 0, 0, 0)
    copy_once(copies, leaves, table_size)
    code = decode(buffer, size, record_size, copies, n_leaves, arena, arena_size, max_records,
                  options, &at, error)
    if code != ARGUMENT:
        cursor[0] = at
    free(allocated)
    return code
