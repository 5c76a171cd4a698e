"""tf.train.Example records into columns. docs/records.md is the specification.

Each record is walked twice. The first walk finds the entry of every field of the schema; the
second decodes these entries in the schema's order. Values are written behind those in use, and only
counted once they no longer fit; nothing is in use before the whole record is good."""

from libc.stdint cimport (
    INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN, UINT16_MAX, int32_t, int64_t, uint8_t, uint16_t,
    uint32_t, uint64_t
)
from libc.string cimport memcmp, memcpy

from bytes_le cimport load32
from example_schema cimport (
    BYTES, FLOAT, INT32, INT64, SPANS, UINT16, Column, Decoder, SchemaField, bucket_of, hash_names,
    is_sane_table, item_shift, member_of, schema_field
)
from frame cimport (
    CAPACITY, DATA_CAPACITY, DENSE_LENGTH, FINAL, FLOAT_LENGTH, HEADER_SIZE, MISSING, NO_FRAME, OK,
    RANGE, STALE_INDEX, TRUNCATED_HEADER, TYPE_MISMATCH, Cursor, Error, Frame, Span, bad_argument,
    commit, fail, is_sane, read_frame
)
from wire cimport (
    WIRE_BYTES, WIRE_FIXED32, WIRE_VARINT, Fault, Field, Wire, fault_at, next_field, read_varint
)

cdef struct Values:  # those of one field in one record
    int64_t n, room
    uint8_t *out
    uint8_t *data
    int64_t data_start, data_size, data_room


# ---- the first walk: entries ---------------------------------------------------------------------


cdef inline void remember(Decoder *self, Wire key, Wire entry) noexcept nogil:
    cdef int64_t size = key.end - key.at, i = self.first[bucket_of(key.at, size)]
    cdef SchemaField field
    while i >= 0:
        field = schema_field(self.schema, i)
        if field.name_size == size and memcmp(self.schema + field.name_offset, key.at, size) == 0:
            self.columns[i].entry = entry.at - self.buffer
            self.columns[i].entry_size = entry.end - entry.at
        i = self.columns[i].next


cdef inline void find_entries(Decoder *self, Wire example, Fault *fault) noexcept nogil:
    cdef Field features, entry, part
    cdef Wire key, rest
    cdef int64_t i
    for i in range(self.n_columns):
        self.columns[i].entry = -1
    while next_field(&example, &features, fault):
        if features.tag != (1 << 3 | WIRE_BYTES):
            continue
        while next_field(&features.body, &entry, fault):
            if entry.tag != (1 << 3 | WIRE_BYTES):
                continue
            rest = entry.body
            key = Wire(rest.at, rest.at)
            while next_field(&rest, &part, fault):
                if part.tag == (1 << 3 | WIRE_BYTES):
                    key = part.body
            if fault.code != OK:
                return
            remember(self, key, entry.body)
        if fault.code != OK:
            return


# ---- the second walk: values ---------------------------------------------------------------------


cdef inline Values values_of(const Decoder *self, const Column *column, int kind) noexcept nogil:
    cdef uint8_t *out = self.arena + column.values
    if kind == BYTES:  # the offsets start with a 0: value i ends at offset i + 1
        return Values(0, column.capacity - column.length, out + 8 * (column.length + 1),
                      self.arena + column.data + column.data_length, column.data_length, 0,
                      column.data_capacity - column.data_length)
    out += column.length << item_shift(kind)
    return Values(0, column.capacity - column.length, out, NULL, 0, 0, 0)


cdef inline void append_bytes(Values *values, Wire item) noexcept nogil:
    cdef int64_t size = item.end - item.at
    if size <= values.data_room - values.data_size:
        memcpy(values.data + values.data_size, item.at, size)
    values.data_size += size
    if values.n < values.room:
        (<int64_t *>values.out)[values.n] = values.data_start + values.data_size
    values.n += 1


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


cdef inline bint decode_entry(Decoder *self, int64_t i, Wire record, Fault *fault) noexcept nogil:
    """Leaves in entry and entry_size what length and data_length will be."""
    cdef SchemaField schema = schema_field(self.schema, i)
    cdef Column *column = &self.columns[i]
    cdef Values values = values_of(self, column, schema.kind)
    cdef int kind = 0, number  # of the Feature; 0: none yet
    cdef int member_wanted = member_of(schema.kind)
    cdef const uint8_t *kind_at = NULL
    cdef const uint8_t *at
    cdef Wire entry
    cdef Field value, member
    if column.entry >= 0:
        at = self.buffer + column.entry
        entry = Wire(at, at + column.entry_size)
        while next_field(&entry, &value, fault):
            if value.tag != (2 << 3 | WIRE_BYTES):
                continue
            while next_field(&value.body, &member, fault):
                number = member.tag >> 3
                if member.tag & 7 != WIRE_BYTES or not BYTES <= number <= INT64:
                    continue
                if number != kind:
                    kind = number
                    kind_at = member.at
                    values.n = values.data_size = 0
                if (kind == member_wanted
                        and not append_list(self, &values, schema.kind, member.body, fault)):
                    return False
            if fault.code != OK:
                return False
        if fault.code != OK:
            return False

    if kind != 0 and kind != member_wanted:
        return fault_at(fault, TYPE_MISMATCH, kind_at, member_wanted, kind)
    if schema.dense and (kind == 0 or values.n == 0 and schema.length > 0):
        return fault_at(fault, MISSING, record.at, schema.length)
    if schema.dense and values.n != schema.length:
        return fault_at(fault, DENSE_LENGTH, record.at, schema.length, values.n)
    if values.n > values.room:
        return fault_at(fault, CAPACITY, record.at - HEADER_SIZE, column.length + values.n,
                        column.capacity)
    if values.data_size > values.data_room:
        return fault_at(fault, DATA_CAPACITY, record.at - HEADER_SIZE,
                        column.data_length + values.data_size, column.data_capacity)
    column.entry = column.length + values.n
    column.entry_size = column.data_length + values.data_size
    return True


cdef inline bint decode_record(Decoder *self, Wire record, int64_t row, Fault *fault,
                               int64_t *field) noexcept nogil:
    cdef Column *column
    cdef int64_t i
    field[0] = -1
    find_entries(self, record, fault)
    if fault.code != OK:
        return False
    for i in range(self.n_columns):
        field[0] = i
        if not decode_entry(self, i, record, fault):
            return False
    for i in range(self.n_columns):
        column = &self.columns[i]
        column.length = column.entry
        column.data_length = column.entry_size
        if not schema_field(self.schema, i).dense:
            (<int64_t *>(self.arena + column.row_offsets))[row + 1] = column.length
    return True


cdef inline void start_batch(Decoder *self) noexcept nogil:
    cdef SchemaField field
    cdef int64_t i
    for i in range(self.n_columns):
        field = schema_field(self.schema, i)
        self.columns[i].length = self.columns[i].data_length = 0
        if not field.dense:
            (<int64_t *>(self.arena + self.columns[i].row_offsets))[0] = 0
        if field.kind == BYTES:
            (<int64_t *>(self.arena + self.columns[i].values))[0] = 0


cdef inline bint start(Decoder *self, int64_t size, int64_t schema_size, int64_t arena_size,
                       int64_t max_records, const Cursor *cursor) noexcept nogil:
    if (max_records < 0 or not is_sane(cursor, size, max_records)
            or not is_sane_table(self, schema_size, arena_size, max_records)):
        return False
    hash_names(self)
    if cursor.rows == 0:
        start_batch(self)
    return True


cdef inline int decode_frame(Decoder *self, const Frame *frame, const Cursor *cursor, int64_t row,
                             Error *error) noexcept nogil:
    """Decodes the frame at the cursor into a row: OK, or another code and `error`."""
    cdef Fault fault
    cdef int64_t field = -1
    fault.code = OK
    if decode_record(self, Wire(frame.data, frame.data + frame.size), row, &fault, &field):
        return OK
    fail(error, fault.code, self.base + (fault.at - self.buffer), cursor.record, fault.expected,
         fault.actual)
    error.field = field
    return fault.code


cdef inline int decode_examples_kernel(const uint8_t *buffer, int64_t size, const uint8_t *schema,
                                       int64_t schema_size, uint8_t *arena, int64_t arena_size,
                                       Column *columns, int64_t n_columns, int64_t max_records,
                                       uint32_t options, Cursor *cursor,
                                       Error *error) noexcept nogil:
    cdef Decoder self
    cdef Frame frame
    cdef int code
    self.buffer, self.base, self.schema, self.arena = buffer, cursor.base, schema, arena
    self.columns, self.n_columns = columns, n_columns
    if not start(&self, size, schema_size, arena_size, max_records, cursor):
        return bad_argument(error)
    while cursor.rows < max_records:
        code = read_frame(buffer, size, options, cursor, &frame, error)
        if code == OK:
            code = decode_frame(&self, &frame, cursor, cursor.rows, error)
        if code != OK:
            return OK if code == NO_FRAME else code
        commit(cursor, frame.size)
    return OK


# ---- in any order --------------------------------------------------------------------------------


cdef inline int read_span(const uint8_t *buffer, int64_t size, uint32_t options, Span span,
                          Cursor *at, Frame *frame, Error *error) noexcept nogil:
    """The frame that `span` tells of, which must lie in the buffer."""
    cdef int64_t header
    cdef int code = NO_FRAME
    if span.offset < at.base or span.offset - at.base < HEADER_SIZE:
        return bad_argument(error)
    header = span.offset - HEADER_SIZE
    at.position = header - at.base
    if at.position < size:
        code = read_frame(buffer, size, options | FINAL, at, frame, error)
    if code == NO_FRAME:
        return fail(error, TRUNCATED_HEADER, header, at.record, HEADER_SIZE, 0)
    if code == OK and frame.size != span.size:
        return fail(error, STALE_INDEX, header, at.record, span.size, frame.size)
    return code


cdef inline int gather_examples_kernel(const uint8_t *buffer, int64_t size, const Span *spans,
                                       int64_t n_spans, const uint8_t *schema, int64_t schema_size,
                                       uint8_t *arena, int64_t arena_size, Column *columns,
                                       int64_t n_columns, uint32_t options, Cursor *cursor,
                                       Error *error) noexcept nogil:
    cdef Decoder self
    cdef Frame frame
    cdef Cursor at
    cdef int64_t row
    cdef int code
    self.buffer, self.base, self.schema, self.arena = buffer, cursor.base, schema, arena
    self.columns, self.n_columns = columns, n_columns
    if not start(&self, size, schema_size, arena_size, n_spans, cursor):
        return bad_argument(error)
    for row in range(cursor.rows, n_spans):
        at = Cursor(self.base, 0, row, row)
        code = read_span(buffer, size, options, spans[row], &at, &frame, error)
        if code == OK:
            code = decode_frame(&self, &frame, &at, row, error)
        if code != OK:
            return code
        cursor.rows = row + 1
    return OK
