"""The values of one field in one record, which are being appended to its column.

They are written after those in use. Values that do not fit are only counted, so that the caller
learns how much room the record needs. No value is in use before the whole record has been accepted.
"""

from libc.stdint cimport (
    INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN, UINT16_MAX, int32_t, int64_t, uint8_t, uint16_t,
    uint32_t, uint64_t
)
from libc.string cimport memcpy

from bytes_le cimport load32
from example_schema cimport (
    BYTES, FLOAT, INT32, INT64, SPANS, Column, Decoder, SchemaField, has_data, has_length,
    has_offsets, item_shift, member_of, schema_field
)
from frame cimport (
    CAPACITY, DATA_CAPACITY, DENSE_LENGTH, FLOAT_LENGTH, HEADER_SIZE, MISSING, OK, RANGE,
    TYPE_MISMATCH, Span
)
from wire cimport (
    WIRE_BYTES, WIRE_FIXED32, WIRE_VARINT, Fault, Field, Wire, fault_at, next_field,
    read_two_varints, read_varint
)

cdef struct Values:  # the values of one field in one record
    int64_t n, room
    uint8_t *out
    uint8_t *data
    int64_t data_start, data_size, data_room


cdef inline Values values_of(const Decoder *self, const Column *column,
                             const SchemaField *field) noexcept nogil:
    cdef int64_t room = column.capacity - column.length
    cdef uint8_t *out = self.arena + column.values + (column.length << item_shift(field))
    if not has_offsets(field):
        return Values(0, room, out, NULL, 0, 0, 0)
    out += 8  # the offsets start with a 0: value i ends at offset number i + 1
    if not has_data(field):
        return Values(0, room, out, NULL, column.data_length, 0, 0)
    return Values(0, room, out, self.arena + column.data + column.data_length, column.data_length,
                  0, column.data_capacity - column.data_length)


cdef inline void append_end(Values *values, int64_t size) noexcept nogil:
    """Append the end of a value of `size` bytes, or of a step of `size` values."""
    values.data_size += size
    if values.n < values.room:
        (<int64_t *>values.out)[values.n] = values.data_start + values.data_size
    values.n += 1


cdef inline void append_bytes(Values *values, Wire item) noexcept nogil:
    cdef int64_t size = item.end - item.at
    if size <= values.data_room - values.data_size:
        memcpy(values.data + values.data_size, item.at, size)
    append_end(values, size)


cdef inline void append_span(Values *values, int64_t offset, int64_t size) noexcept nogil:
    if values.n < values.room:
        (<Span *>values.out)[values.n] = Span(offset, size)
    values.n += 1


cdef inline void append_floats(Values *values, Wire run) noexcept nogil:
    cdef int64_t n = (run.end - run.at) >> 2, i
    cdef uint32_t *out = <uint32_t *>values.out + values.n
    if n <= values.room - values.n:
        for i in range(n):
            out[i] = load32(run.at + 4 * i)
    values.n += n


cdef inline bint append_integer(Values *values, int kind, int64_t value, const uint8_t *at,
                                Fault *fault) noexcept nogil:
    cdef int64_t low = INT64_MIN, high = INT64_MAX
    if kind != INT64:
        low = INT32_MIN if kind == INT32 else 0
        high = INT32_MAX if kind == INT32 else UINT16_MAX
        if not low <= value <= high:
            return fault_at(fault, RANGE, at, low if value < low else high, value)
    if values.n < values.room:
        if kind == INT64:
            (<int64_t *>values.out)[values.n] = value
        elif kind == INT32:
            (<int32_t *>values.out)[values.n] = <int32_t>value
        else:
            (<uint16_t *>values.out)[values.n] = <uint16_t>value
    values.n += 1
    return True


cdef inline bint append_varints(Values *values, int kind, Wire run, Fault *fault) noexcept nogil:
    cdef uint64_t value = 0
    cdef const uint8_t *at
    while run.at < run.end:
        if kind == INT64 and values.room - values.n >= 2:
            if read_two_varints(&run, <uint64_t *>values.out + values.n):
                values.n += 2
                continue
        at = run.at
        if not (read_varint(&run, &value, fault)
                and append_integer(values, kind, <int64_t>value, at, fault)):
            return False
    return True


cdef inline bint append_list(const Decoder *self, Values *values, int kind, Wire list,
                             Fault *fault) noexcept nogil:
    cdef uint32_t packed = 1 << 3 | WIRE_BYTES
    cdef uint32_t single = 1 << 3 | (WIRE_FIXED32 if kind == FLOAT else WIRE_VARINT)
    cdef Field item
    while next_field(&list, &item, fault):
        if kind == BYTES or kind == SPANS:
            if item.tag != packed:
                continue
            if kind == BYTES:
                append_bytes(values, item.body)
            else:
                append_span(values, self.base + (item.body.at - self.buffer),
                            item.body.end - item.body.at)
        elif item.tag == packed or item.tag == single:
            if kind != FLOAT:
                if not append_varints(values, kind, item.body, fault):
                    return False
            elif (item.body.end - item.body.at) & 3:
                return fault_at(fault, FLOAT_LENGTH, item.value_at, 0, item.body.end - item.body.at)
            else:
                append_floats(values, item.body)
    return fault.code == OK


cdef inline bint is_wanted(const SchemaField *schema, int kind, const uint8_t *kind_at, int64_t n,
                           const uint8_t *record, Fault *fault) noexcept nogil:
    """Return True if a Feature of `n` values matches the schema. `kind` is the member of the oneof
    that was set at `kind_at`, or 0."""
    cdef int wanted = member_of(schema.kind)
    if kind != 0 and kind != wanted:
        return fault_at(fault, TYPE_MISMATCH, kind_at, wanted, kind)
    if not has_length(schema):
        return True
    if kind == 0 or n == 0 and schema.length > 0:
        return fault_at(fault, MISSING, record, schema.length)
    if n != schema.length:
        return fault_at(fault, DENSE_LENGTH, record, schema.length, n)
    return True


cdef inline bint has_room(Decoder *self, int64_t i, const Values *values, const uint8_t *record,
                          Fault *fault) noexcept nogil:
    """Return True if the values fit. Leave the new length and data_length in entry and entry_size.
    """
    cdef SchemaField schema = schema_field(self.schema, i)
    cdef Column *column = &self.columns[i]
    if values.n > values.room:
        return fault_at(fault, CAPACITY, record - HEADER_SIZE, column.length + values.n,
                        column.capacity)
    if has_data(&schema) and values.data_size > values.data_room:
        return fault_at(fault, DATA_CAPACITY, record - HEADER_SIZE,
                        column.data_length + values.data_size, column.data_capacity)
    column.entry = column.length + values.n
    column.entry_size = column.data_length + values.data_size
    return True
