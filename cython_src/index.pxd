"""The spans of a TFRecord file's records, with an optional search for the next valid frame after
damage.

docs/records.md is the specification.
"""

from libc.stdint cimport int64_t, uint8_t, uint32_t
from libc.stdlib cimport free

from crc32c cimport find_header
from frame cimport (
    CRC_INSTRUCTION, FINAL, FOOTER_SIZE, HEADER_SIZE, NO_FRAME, OK, OUT_OF_MEMORY, OVERLAP, RESYNC,
    VERIFY, Cursor, Error, Frame, Span, bad_argument, commit, fail, find_frame, is_sane, read_frame
)
from sums cimport Sums, check_payload
from tables cimport AT_BUFFER, AT_CURSOR, AT_SPANS, MemoryRange, copy_of, overlaps

cdef extern from *:
    void __builtin_prefetch(const void *) nogil

cdef enum:
    READ_AHEAD = 4096
    # The most bytes that a call steps over one by one, or a part of the buffer if that is more.
    # Then it returns, so that a long search can be interrupted.
    SEARCH = 1 << 24
    PARTS = 16


cdef inline void read_ahead(const uint8_t *buffer, int64_t size, const Cursor *at) noexcept nogil:
    """Prefetch the bytes some records ahead. Only the header of a frame says where the next one is,
    so reading each header would wait for memory otherwise."""
    if size - at.position > READ_AHEAD:
        __builtin_prefetch(buffer + at.position + READ_AHEAD)


cdef inline void enter(Span *spans, Cursor *at, int64_t data_size) noexcept nogil:
    spans[at.rows] = Span(at.base + at.position + HEADER_SIZE, data_size)
    commit(at, data_size)


cdef inline int fill(const uint8_t *buffer, int64_t size, Span *spans, int64_t capacity,
                     uint32_t options, Cursor *at, Error *error) noexcept nogil:
    cdef Frame frame
    cdef int code
    while at.rows < capacity:
        read_ahead(buffer, size, at)
        code = read_frame(buffer, size, options, at, &frame, error)
        if code != OK:
            return code
        enter(spans, at, frame.size)
    return OK


cdef inline int64_t step_over(const uint8_t *buffer, int64_t size, uint32_t options,
                              const Cursor *cursor, const Frame *damaged) noexcept nogil:
    """Return the number of bytes to step over at a frame whose payload is damaged. If another frame
    follows where this one claims to end, only the payload is damaged. If not, no field of the frame
    can be trusted, and a record may begin at any byte. Return NO_FRAME if the bytes that follow
    have not been read yet."""
    cdef int64_t after = damaged.data + damaged.size + FOOTER_SIZE - buffer, left = size - after
    if left < HEADER_SIZE and not options & FINAL:
        return NO_FRAME
    if left == 0 or (left >= HEADER_SIZE and after
                     == find_header(buffer, after, after + 1, options & CRC_INSTRUCTION)):
        return after - cursor.position
    return 1


cdef inline int64_t next_header(const uint8_t *buffer, int64_t size, uint32_t options, int64_t at,
                                int64_t stop) noexcept nogil:
    """Return the first offset after `at` that has a header, or the end of the search: `stop`, or
    the place after which too few bytes have been read."""
    cdef int64_t to = min(stop, size - HEADER_SIZE + 1), found
    if at + 1 < to:
        found = find_header(buffer, at + 1, to, options & CRC_INSTRUCTION)
        if found < to:
            return found
    return stop if options & FINAL else to


cdef inline int fill_with_good(const uint8_t *buffer, int64_t size, Span *spans, int64_t capacity,
                               uint32_t options, Cursor *at, Error *error) noexcept nogil:
    cdef int64_t begin = at.position, left = max(<int64_t>SEARCH, size // PARTS), step, position
    cdef Sums sums = Sums(options & CRC_INSTRUCTION, buffer + begin, size - begin, 0, 0, NULL)
    cdef Frame frame
    cdef bint good
    cdef int code = OK
    while at.rows < capacity and left > 0:
        read_ahead(buffer, size, at)
        code = find_frame(buffer, size, options | VERIFY, at, &frame, error)
        if code == NO_FRAME:
            break
        if code == OK:
            code = check_payload(&sums, at.position - begin, &frame, &good, error)
            if code != OK:
                break
            if good:
                enter(spans, at, frame.size)
                continue
            step = step_over(buffer, size, options, at, &frame)
            if step == NO_FRAME:
                break
            if step > 1:
                at.position += step
                continue
            sums.in_vain += frame.size
        position = next_header(buffer, size, options, at.position, min(size, at.position + left))
        left -= position - at.position
        at.position = position
    free(sums.until)
    return OUT_OF_MEMORY if code == OUT_OF_MEMORY else fail(error, OK, 0, 0, 0, 0)


cdef inline int index_records_kernel(const uint8_t *buffer, int64_t size, Span *spans,
                                     int64_t capacity, uint32_t options, Cursor *cursor,
                                     Error *error) noexcept nogil:
    cdef MemoryRange[3] ranges
    cdef Cursor at
    cdef int code
    ranges[0] = MemoryRange(AT_BUFFER, False, buffer, size)
    ranges[1] = MemoryRange(AT_SPANS, True, spans, capacity * <int64_t>sizeof(Span))
    ranges[2] = MemoryRange(AT_CURSOR, True, cursor, sizeof(Cursor))
    if overlaps(ranges, 3, error):
        return OVERLAP
    at = copy_of(cursor)
    if not is_sane(&at, size, capacity):
        return bad_argument(error)
    if options & RESYNC:
        code = fill_with_good(buffer, size, spans, capacity, options, &at, error)
    else:
        code = fill(buffer, size, spans, capacity, options, &at, error)
    cursor[0] = at
    return OK if code == NO_FRAME else code
