"""Batches of tf.train.Examples, one after the other or in the order of an index.

docs/records.md is the specification.
"""

from libc.stdint cimport INT32_MAX, int64_t, uint8_t, uint32_t
from libc.stdlib cimport free

from example cimport decode_record
from example_names cimport index_names, leave_tables, take_tables
from example_schema cimport (
    DENSE, Column, Decoder, SchemaField, has_offsets, is_sane_table, schema_field
)
from frame cimport (
    FINAL, HEADER_SIZE, NO_FRAME, OK, OUT_OF_MEMORY, OVERLAP, STALE_INDEX, TRUNCATED_HEADER, Cursor,
    Error, Frame, Span, bad_argument, commit, fail, is_sane, misaligned, read_frame
)
from tables cimport (
    AT_ARENA, AT_BUFFER, AT_COLUMNS, AT_CURSOR, AT_SCHEMA, AT_SPANS, SMALL, MemoryRange, copy_of,
    copy_once, overlaps
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


cdef inline int start(Decoder *self, const MemoryRange *ranges, int n_ranges, void *small,
                      int64_t max_records, const Cursor *cursor, Error *error) noexcept nogil:
    """Check and copy the tables of a call. Return OK, or another code after filling `error`. After
    OK the caller must call leave_tables()."""
    cdef const MemoryRange *buffer = &ranges[0], *schema = &ranges[1], *arena = &ranges[2]
    cdef const MemoryRange *columns = &ranges[3]
    if overlaps(ranges, n_ranges, error):
        return OVERLAP
    self.buffer, self.base = <const uint8_t *>buffer.at, cursor.base
    self.arena = <uint8_t *>arena.at
    self.n_columns = columns.size // <int64_t>sizeof(Column)
    if (max_records < 0 or not is_sane(cursor, buffer.size, max_records)
            or misaligned(arena.at, arena.size) or self.n_columns > INT32_MAX
            or self.n_columns > schema.size // <int64_t>sizeof(SchemaField)):
        return bad_argument(error)
    if not take_tables(self, small, <const Column *>columns.at, <const uint8_t *>schema.at,
                       schema.size):
        return fail(error, OUT_OF_MEMORY, 0, 0, 0, 0)
    if not is_sane_table(self, schema.size, arena.size, max_records):
        free(self.allocated)
        return bad_argument(error)
    if cursor.rows == 0:
        start_batch(self)
    index_names(self)
    return OK


cdef inline int decode_frame(Decoder *self, const Frame *frame, const Cursor *cursor, int64_t row,
                             Error *error) noexcept nogil:
    """Decode the frame at the cursor into a row. Return OK, or another code after filling `error`.
    """
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
    cdef MemoryRange[5] ranges
    cdef int64_t[SMALL] small
    cdef Decoder self
    cdef Frame frame
    cdef Cursor at = copy_of(cursor)
    cdef int code
    ranges[0] = MemoryRange(AT_BUFFER, False, buffer, size)
    ranges[1] = MemoryRange(AT_SCHEMA, False, schema, schema_size)
    ranges[2] = MemoryRange(AT_ARENA, True, arena, arena_size)
    ranges[3] = MemoryRange(AT_COLUMNS, True, columns, n_columns * <int64_t>sizeof(Column))
    ranges[4] = MemoryRange(AT_CURSOR, True, cursor, sizeof(Cursor))
    code = start(&self, ranges, 5, small, max_records, &at, error)
    if code != OK:
        return code
    while at.rows < max_records:
        code = read_frame(buffer, size, options, &at, &frame, error)
        if code == OK:
            code = decode_frame(&self, &frame, &at, at.rows, error)
        if code != OK:
            break
        commit(&at, frame.size)
    cursor[0] = at
    leave_tables(&self, columns)
    return OK if code == NO_FRAME else code


# ---- in any order --------------------------------------------------------------------------------


cdef inline int read_span(const uint8_t *buffer, int64_t size, uint32_t options, Span span,
                          Cursor *at, Frame *frame, Error *error) noexcept nogil:
    """Read the frame whose payload `span` describes, which must lie in the buffer."""
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
    cdef MemoryRange[6] ranges
    cdef int64_t[SMALL] small
    cdef Decoder self
    cdef Frame frame
    cdef Cursor state = copy_of(cursor), at
    cdef Span span
    cdef int code
    ranges[0] = MemoryRange(AT_BUFFER, False, buffer, size)
    ranges[1] = MemoryRange(AT_SCHEMA, False, schema, schema_size)
    ranges[2] = MemoryRange(AT_ARENA, True, arena, arena_size)
    ranges[3] = MemoryRange(AT_COLUMNS, True, columns, n_columns * <int64_t>sizeof(Column))
    ranges[4] = MemoryRange(AT_CURSOR, True, cursor, sizeof(Cursor))
    ranges[5] = MemoryRange(AT_SPANS, False, spans, n_spans * <int64_t>sizeof(Span))
    code = start(&self, ranges, 6, small, n_spans, &state, error)
    if code != OK:
        return code
    while state.rows < n_spans:
        at = Cursor(self.base, 0, state.rows, state.rows)
        copy_once(&span, &spans[state.rows], sizeof(Span))
        code = read_span(buffer, size, options, span, &at, &frame, error)
        if code == OK:
            code = decode_frame(&self, &frame, &at, state.rows, error)
        if code != OK:
            break
        state.rows += 1
    cursor[0] = state
    leave_tables(&self, columns)
    return code
