"""The code that all records kernels share: the cursor, errors, and the frame of a TFRecord.

docs/records.md is the specification.
"""

from libc.stdint cimport INT64_MAX, int64_t, uint8_t, uint32_t, uint64_t, uintptr_t

from bytes_le cimport load32, load64, read_once
from crc32c cimport crc32c, mask_crc

cdef enum:
    OK = 0
    TRUNCATED_HEADER = 1
    LENGTH_CRC = 2
    LENGTH_LIMIT = 3
    TRUNCATED_DATA = 4
    TRUNCATED_FOOTER = 5
    DATA_CRC = 6
    WIRE_TYPE = 7
    VARINT = 8
    SUBMESSAGE_LENGTH = 9
    FLOAT_LENGTH = 10
    TYPE_MISMATCH = 11
    MISSING = 12
    DENSE_LENGTH = 13
    CAPACITY = 14
    DATA_CAPACITY = 15
    FIXED_REMAINDER = 16
    ARGUMENT = 20
    RANGE = 21
    STALE_INDEX = 22
    OVERLAP = 25
    OUT_OF_MEMORY = 26
    NO_FRAME = -1  # no complete frame; used only inside the kernels

cdef enum:  # options
    VERIFY = 1
    FINAL = 2
    RESYNC = 4  # index only: verify, and step over damage to the next good record
    CRC_INSTRUCTION = 8  # the processor has the instruction

cdef enum:
    HEADER_SIZE = 12
    FOOTER_SIZE = 4

cdef struct Error:
    int64_t code, offset, record, field, expected, actual

cdef struct Cursor:
    int64_t base, position, record, rows

cdef struct Span:
    int64_t offset, size

cdef struct Frame:
    const uint8_t *data
    int64_t size


cdef inline int fail(Error *error, int code, int64_t offset, int64_t record, int64_t expected,
                     int64_t actual) noexcept nogil:
    error[0] = Error(code, offset, record, -1, expected, actual)
    return code


cdef inline int bad_argument(Error *error) noexcept nogil:
    return fail(error, ARGUMENT, 0, 0, 0, 0)


cdef inline bint is_sane(const Cursor *cursor, int64_t size, int64_t max_rows) noexcept nogil:
    """Return True if no offset and no record number of the call can overflow."""
    return (0 <= cursor.base <= INT64_MAX - size and 0 <= cursor.position <= size
            and 0 <= cursor.record <= INT64_MAX - size and 0 <= cursor.rows <= max_rows)


cdef inline bint misaligned(const void *arena, int64_t size) noexcept nogil:
    """Return True if items of 8 bytes in the arena would be misaligned. An empty arena never is."""
    return size and <uintptr_t>arena & 7


cdef inline uint32_t masked_crc(const uint8_t *data, int64_t size, uint32_t options) noexcept nogil:
    return mask_crc(crc32c(data, size, options & CRC_INSTRUCTION))


cdef inline int find_frame(const uint8_t *buffer, int64_t size, uint32_t options,
                           const Cursor *cursor, Frame *frame, Error *error) noexcept nogil:
    """Find the frame at the cursor without checking its payload. Return OK, NO_FRAME, or another
    code after filling `error`."""
    cdef const uint8_t *header = buffer + cursor.position
    cdef int64_t left = size - cursor.position, limit = INT64_MAX - HEADER_SIZE - FOOTER_SIZE
    cdef int64_t offset = cursor.base + cursor.position, record = cursor.record
    cdef bint final = options & FINAL
    cdef uint64_t data_size
    cdef uint32_t stored, computed
    if left == 0:
        return NO_FRAME
    if left < HEADER_SIZE:
        return (fail(error, TRUNCATED_HEADER, offset, record, HEADER_SIZE, left)
                if final else NO_FRAME)
    data_size = read_once(load64(header))
    if options & VERIFY:
        stored = load32(header + 8)
        computed = masked_crc(header, 8, options)
        if stored != computed:
            return fail(error, LENGTH_CRC, offset, record, stored, computed)
    if data_size > <uint64_t>limit:
        return fail(error, LENGTH_LIMIT, offset, record, limit, <int64_t>data_size)

    frame[0] = Frame(header + HEADER_SIZE, <int64_t>data_size)
    offset += HEADER_SIZE
    left -= HEADER_SIZE
    if frame.size > left:
        return fail(error, TRUNCATED_DATA, offset, record, frame.size, left) if final else NO_FRAME
    left -= frame.size
    if left < FOOTER_SIZE:
        return (fail(error, TRUNCATED_FOOTER, offset + frame.size, record, FOOTER_SIZE, left)
                if final else NO_FRAME)
    return OK


cdef inline int read_frame(const uint8_t *buffer, int64_t size, uint32_t options,
                           const Cursor *cursor, Frame *frame, Error *error) noexcept nogil:
    """Read and check the frame at the cursor, without moving the cursor. Return OK, NO_FRAME, or
    another code after filling `error`."""
    cdef int code = find_frame(buffer, size, options, cursor, frame, error)
    cdef uint32_t stored, computed
    if code != OK or not options & VERIFY:
        return code
    stored = load32(frame.data + frame.size)
    computed = masked_crc(frame.data, frame.size, options)
    if stored == computed:
        return OK
    return fail(error, DATA_CRC, cursor.base + cursor.position + HEADER_SIZE, cursor.record, stored,
                computed)


cdef inline void commit(Cursor *cursor, int64_t data_size) noexcept nogil:
    cursor.position += HEADER_SIZE + data_size + FOOTER_SIZE
    cursor.record += 1
    cursor.rows += 1
