"""Where the records of a TFRecord file lie, the damaged ones stepped over if asked.

docs/records.md is the specification."""

from libc.stdint cimport int64_t, uint8_t, uint32_t

from bytes_le cimport load32
from frame cimport (
    DATA_CRC, FINAL, FOOTER_SIZE, HEADER_SIZE, NO_FRAME, OK, OVERLAP, RESYNC, VERIFY, Cursor, Error,
    Frame, Span, bad_argument, commit, fail, is_sane, masked_crc, read_frame
)
from tables cimport AT_BUFFER, AT_CURSOR, AT_SPANS, MemoryRange, copy_of, overlaps

cdef extern from *:
    void __builtin_prefetch(const void *) nogil

cdef enum:
    READ_AHEAD = 4096


cdef inline bint good_header(const uint8_t *at, uint32_t options) noexcept nogil:
    return masked_crc(at, 8, options) == load32(at + 8)


cdef inline int64_t step_over(const uint8_t *buffer, int64_t size, uint32_t options,
                              const Cursor *cursor, const Frame *damaged, int code) noexcept nogil:
    """How far to go on from a damaged record. If another one follows where it claims to end, only
    its data is damaged; else nothing it says is worth believing, and a record may begin at any
    byte. NO_FRAME: what follows has not been read yet."""
    cdef const uint8_t *behind = damaged.data + damaged.size + FOOTER_SIZE
    cdef int64_t left
    if code != DATA_CRC:
        return 1
    left = size - (behind - buffer)
    if left < HEADER_SIZE and not options & FINAL:
        return NO_FRAME
    if left == 0 or left >= HEADER_SIZE and good_header(behind, options):
        return behind - buffer - cursor.position
    return 1


cdef inline int fill(const uint8_t *buffer, int64_t size, Span *spans, int64_t capacity,
                     uint32_t options, Cursor *at, Error *error) noexcept nogil:
    cdef Frame frame
    cdef int64_t step
    cdef int code
    if options & RESYNC:
        options |= VERIFY
    while at.rows < capacity:
        # only a header tells where the next one is: what lies some records ahead is asked for, so
        # that memory is not waited for at each of them
        if size - at.position > READ_AHEAD:
            __builtin_prefetch(buffer + at.position + READ_AHEAD)
        code = read_frame(buffer, size, options, at, &frame, error)
        if code == OK:
            spans[at.rows] = Span(at.base + at.position + HEADER_SIZE, frame.size)
            commit(at, frame.size)
            continue
        if code == NO_FRAME:
            break
        if not options & RESYNC:
            return code
        step = step_over(buffer, size, options, at, &frame, code)
        fail(error, OK, 0, 0, 0, 0)
        if step == NO_FRAME:
            break
        at.position += step
    return OK


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
    code = fill(buffer, size, spans, capacity, options, &at, error)
    cursor[0] = at
    return code
