"""The wire format of protocol buffers, read field by field. A function gets one message at a time
and never reads beyond its end.

A function that finds a fault fills `fault` and returns False.
"""

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t

from bytes_le cimport load64, read_once
from frame cimport SUBMESSAGE_LENGTH, VARINT, WIRE_TYPE

cdef extern from *:
    int __builtin_ctzll(unsigned long long) nogil

cdef enum:  # wire types
    WIRE_VARINT
    WIRE_FIXED64
    WIRE_BYTES
    WIRE_START
    WIRE_END
    WIRE_FIXED32

cdef enum:
    MAX_DEPTH = 64  # of groups

cdef struct Wire:
    const uint8_t *at
    const uint8_t *end

cdef struct Field:
    const uint8_t *at        # the tag
    const uint8_t *value_at  # the bytes after the tag: the value, or its length
    uint32_t tag
    Wire body                # the value without its length

cdef struct Fault:
    int code
    const uint8_t *at
    int64_t expected, actual


cdef inline bint fault_at(Fault *fault, int code, const uint8_t *at, int64_t expected=0,
                          int64_t actual=0) noexcept nogil:
    fault[0] = Fault(code, at, expected, actual)
    return False


cdef inline bint long_varint(Wire *message, uint64_t *value, Fault *fault) noexcept nogil:
    cdef const uint8_t *start = message.at
    cdef const uint8_t *at = start
    cdef uint64_t byte
    cdef int shift = 0
    value[0] = 0
    while at < message.end and shift < 70:
        byte = read_once(at[0])
        at += 1
        value[0] |= (byte & 0x7f) << shift if shift < 64 else 0
        if byte < 0x80:
            message.at = at
            return True
        shift += 7
    return fault_at(fault, VARINT, start)


cdef inline uint64_t close_gaps(uint64_t groups) noexcept nogil:
    """Return the number that the low seven bits of each byte make. Groups of 7 bits are joined to
    groups of 14, of 28 and of 56:

        ..  0aaaaaaa 0bbbbbbb  ->  00aaaaaa abbbbbbb  ->  28 bits  ->  56 bits
    """
    groups &= <uint64_t>0x7f7f7f7f7f7f7f7f
    groups = groups & <uint64_t>0x007f007f007f007f | (groups & <uint64_t>0x7f007f007f007f00) >> 1
    groups = groups & <uint64_t>0x00003fff00003fff | (groups & <uint64_t>0x3fff00003fff0000) >> 2
    return groups & <uint64_t>0x000000000fffffff | (groups & <uint64_t>0x0fffffff00000000) >> 4


cdef inline bint read_two_varints(Wire *message, uint64_t *values) noexcept nogil:
    """Read two varints of together at most 8 bytes, with one step from load to load for both."""
    cdef uint64_t bytes, tops, second
    if message.end - message.at < 8:
        return False
    bytes = read_once(load64(message.at))
    tops = ~bytes & <uint64_t>0x8080808080808080  # where a varint ends
    second = tops & (tops - 1)
    if second == 0:
        return False
    values[0] = close_gaps(bytes & (tops ^ (tops - 1)))
    bytes &= second ^ (second - 1)
    values[1] = close_gaps(bytes >> (__builtin_ctzll(tops) + 1))
    message.at += (__builtin_ctzll(second) + 1) >> 3
    return True


cdef inline bint read_varint(Wire *message, uint64_t *value, Fault *fault) noexcept nogil:
    cdef uint64_t bytes, tops
    if message.end - message.at < 8:
        return long_varint(message, value, fault)
    bytes = read_once(load64(message.at))
    tops = ~bytes & <uint64_t>0x8080808080808080  # where a varint ends
    if tops == 0:
        return long_varint(message, value, fault)
    value[0] = close_gaps(bytes & (tops ^ (tops - 1)))
    message.at += (__builtin_ctzll(tops) + 1) >> 3
    return True


cdef inline bint read_tag(Wire *message, uint32_t *tag, Fault *fault) noexcept nogil:
    cdef const uint8_t *start = message.at
    cdef uint64_t value = 0
    if not read_varint(message, &value, fault):
        return False
    if message.at - start > 5 or value > <uint64_t>0xffffffff:
        return fault_at(fault, VARINT, start)
    if value >> 3 == 0 or value & 7 > WIRE_FIXED32:
        return fault_at(fault, WIRE_TYPE, start)
    tag[0] = <uint32_t>value
    return True


cdef inline bint read_value(Wire *message, Field *field, Fault *fault) noexcept nogil:
    """Read a value that is not a group."""
    cdef uint64_t size = 0
    cdef int64_t left
    cdef int wire_type = field.tag & 7
    field.value_at = message.at
    if wire_type == WIRE_VARINT:
        field.body.at = message.at
        if not read_varint(message, &size, fault):
            return False
        field.body.end = message.at
        return True
    if wire_type == WIRE_BYTES:
        if not read_varint(message, &size, fault):
            return False
    elif wire_type == WIRE_FIXED64 or wire_type == WIRE_FIXED32:
        size = 8 if wire_type == WIRE_FIXED64 else 4
    else:
        return fault_at(fault, WIRE_TYPE, field.at)
    left = message.end - message.at
    if size > <uint64_t>left:
        return fault_at(fault, SUBMESSAGE_LENGTH, field.value_at, left, <int64_t>size)
    field.body = Wire(message.at, message.at + size)
    message.at += size
    return True


cdef inline bint skip_group(Wire *message, const Field *start, Fault *fault) noexcept nogil:
    """Skip to the end tag that matches the start tag just read."""
    cdef Field[MAX_DEPTH] open
    cdef int depth = 1
    cdef Field field
    open[0] = start[0]
    while depth > 0:
        if message.at == message.end:
            return fault_at(fault, WIRE_TYPE, open[depth - 1].at)
        field.at = message.at
        if not read_tag(message, &field.tag, fault):
            return False
        if field.tag & 7 == WIRE_START and depth < MAX_DEPTH:
            open[depth] = field
            depth += 1
        elif field.tag & 7 == WIRE_END and field.tag >> 3 == open[depth - 1].tag >> 3:
            depth -= 1
        elif not read_value(message, &field, fault):
            return False
    return True


cdef inline bint any_field(Wire *message, Field *field, Fault *fault) noexcept nogil:
    field.at = message.at
    if not read_tag(message, &field.tag, fault):
        return False
    if field.tag & 7 != WIRE_START:
        return read_value(message, field, fault)
    field.body = Wire(message.at, message.at)
    return skip_group(message, field, fault)


cdef inline bint next_field(Wire *message, Field *field, Fault *fault) noexcept nogil:
    """Read one field, value and all. Return False at the end of the message and at a fault."""
    cdef const uint8_t *at = message.at
    cdef int64_t left = message.end - at
    cdef uint64_t tag, size
    if left == 0:
        return False
    if left >= 2:  # nearly always: length-delimited, with a tag and a length of one byte each
        tag = read_once(at[0])
        size = read_once(at[1])
        if tag & 0x87 == WIRE_BYTES and tag >= 8 and size < 0x80 and <int64_t>size <= left - 2:
            field[0] = Field(at, at + 1, <uint32_t>tag, Wire(at + 2, at + 2 + size))
            message.at = at + 2 + size
            return True
    return any_field(message, field, fault)
