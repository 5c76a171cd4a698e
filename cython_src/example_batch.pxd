"""Batches of tf.train.Examples: one after the other, or as an index says.

docs/records.md is the specification."""

from libc.stdint cimport int64_t, uint8_t, uint32_t

from example cimport decode_record
from example_schema cimport (
    DENSE, Column, Decoder, SchemaField, has_offsets, hash_names, is_sane_table, schema_field
)
from frame cimport (
    FINAL, HEADER_SIZE, NO_FRAME, OK, STALE_INDEX, TRUNCATED_HEADER, Cursor, Error, Frame, Span,
    bad_argument, commit, fail, is_sane, read_frame
)
from wire cimport Fault, Wire


cdef inline void start_batch(Decoder *self) noexcept nogil:
    cdef SchemaField field
    cdef int64_t i
    for i in range(self.n_columns):
        field = schema_field(self.schema, i)
        self.columns[i].length = self.columns[i].data_length = 0
        if field.form != DENSE:
            (<int64_t *>(self.arena + self.columns[i].row_offsets))[0] = 0
        if has_offsets(&field):
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
    cdef Cursor at
    cdef int code = OK
    self.buffer, self.base, self.schema, self.arena = buffer, cursor.base, schema, arena
    self.columns, self.n_columns = columns, n_columns
    if not start(&self, size, schema_size, arena_size, max_records, cursor):
        return bad_argument(error)
    at = cursor[0]  # a copy: another thread's cursor may lie in the same cache line
    while at.rows < max_records:
        code = read_frame(buffer, size, options, &at, &frame, error)
        if code == OK:
            code = decode_frame(&self, &frame, &at, at.rows, error)
        if code != OK:
            break
        commit(&at, frame.size)
    cursor[0] = at
    return OK if code == NO_FRAME else code


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
