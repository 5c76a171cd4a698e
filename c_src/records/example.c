/* The entry points for tf.train.Example: records into columns, one after the other or in the order
 * of an index. */
#include "plain.h"

/* Decode the frame at `cursor` into row `row`. Return CK_OK, or another code after filling `error`.
 */
static int decode_frame(decoder *d, const frame *record, const ck_cursor *cursor, int64_t row,
                        ck_error *error) {
  wire example = {record->data, record->data + record->size};
  wire_fault fault = {0};
  int64_t field;
  if (!decode_plain(d, example) && !decode_record(d, example, &fault, &field)) {
    fail(error, fault.code, d->base + (fault.at - d->buffer), cursor->record, fault.expected,
         fault.actual);
    error->field = field;
    return fault.code;
  }
  commit(d, row);
  return CK_OK;
}

/* Check and copy the tables of a call. Return CK_OK, or another code after filling `error`. After
 * CK_OK the caller must call leave_tables(). */
static int start(decoder *d, const memory_range *ranges, void *small, int64_t max_records,
                 const ck_cursor *cursor, ck_error *error) {
  const memory_range *buffer = &ranges[0], *schema = &ranges[1], *arena = &ranges[2];
  const memory_range *columns = &ranges[3];
  *d = (decoder){.buffer = buffer->at,
                 .end = (const uint8_t *)buffer->at + buffer->size,
                 .base = cursor->base,
                 .arena = (uint8_t *)arena->at,
                 .n_columns = columns->size / sizeof(ck_column),
                 .varints = ck_choose_varint_runs()};
  if (!cursor_is_sane(cursor, buffer->size, max_records) || misaligned(arena->at, arena->size) ||
      d->n_columns > schema->size / sizeof(ck_field) || d->n_columns > INT32_MAX)
    return bad_argument(error);
  if (!take_tables(d, small, columns->at, schema->at, schema->size))
    return fail(error, CK_MEMORY, 0, 0, 0, 0);
  if (!table_is_sane(d, schema->size, arena->size, max_records)) {
    free(d->allocated);
    return bad_argument(error);
  }
  if (cursor->rows == 0)
    start_batch(d);
  index_names(d);
  return fail(error, CK_OK, 0, 0, 0, 0);
}

/* Prefetch bytes that lie within the buffer. By themselves CPUs prefetch only to the end of a page,
 * so that the first lines of the next one would be waited for. */
enum { READ_AHEAD = 2048, LINE = 64, MOST_AHEAD = 10 * LINE };

static inline void prefetch(const uint8_t *buffer, size_t size, size_t from, size_t wanted) {
  size_t most = wanted < MOST_AHEAD ? wanted : MOST_AHEAD;
  if (from < size && most < size - from)
    for (size_t line = 0; line < most; line += LINE)
      __builtin_prefetch(buffer + from + line);
}

int ck_decode_examples(const uint8_t *buffer, size_t size, const uint8_t *schema,
                       size_t schema_size, uint8_t *arena, size_t arena_size, ck_column *columns,
                       size_t n_columns, int64_t max_records, uint32_t options, ck_cursor *cursor,
                       ck_error *error) {
  const memory_range ranges[] = {{AT_BUFFER, false, buffer, size},
                                 {AT_SCHEMA, false, schema, schema_size},
                                 {AT_ARENA, true, arena, arena_size},
                                 {AT_COLUMNS, true, columns, n_columns * sizeof *columns},
                                 {AT_CURSOR, true, cursor, sizeof *cursor}};
  _Alignas(16) char small[SMALL];
  decoder d;
  if (overlaps(ranges, 5, error))
    return CK_OVERLAP;
  ck_cursor at = copy_of(cursor);
  int code = start(&d, ranges, small, max_records, &at, error);
  if (code != CK_OK)
    return code;

  crc32c_function *sums = sums_of(options);
  while (at.rows < max_records) {
    frame record;
    code = read_frame(buffer, size, sums, options & CK_FINAL, &at, &record, error);
    if (code == CK_OK) {
      prefetch(buffer, size, (size_t)at.position + READ_AHEAD, record.size);
      code = decode_frame(&d, &record, &at, at.rows, error);
    }
    if (code != CK_OK)
      break;
    advance(&at, record.size);
  }
  *cursor = at;
  leave_tables(&d, columns);
  return code == NO_FRAME ? CK_OK : code;
}

/* ---- in any order ------------------------------------------------------------------------- */

/* Records that are far from one another: each is prefetched some rows before its turn, from its
 * header to the cache line behind it, because varints are read beyond their end. */
enum { ROWS_AHEAD = 8 };

static void prefetch_record(const uint8_t *buffer, size_t size, int64_t base, ck_span span) {
  uint64_t at = (uint64_t)span.offset - (uint64_t)base - HEADER_SIZE, room = (uint64_t)span.size;
  prefetch(buffer, size, (size_t)at, room < MOST_AHEAD ? (size_t)room + 2 * LINE : MOST_AHEAD);
}

/* Read the frame whose payload `span` describes, which must lie in the buffer. */
static int read_span(const uint8_t *buffer, size_t size, crc32c_function *sums, ck_span span,
                     ck_cursor *at, frame *record, ck_error *error) {
  if (span.offset < at->base || span.offset - at->base < HEADER_SIZE)
    return bad_argument(error);
  at->position = span.offset - at->base - HEADER_SIZE;
  int code = NO_FRAME;
  if (at->position < (int64_t)size)
    code = read_frame(buffer, size, sums, true, at, record, error);
  int64_t offset = span.offset - HEADER_SIZE;
  if (code == NO_FRAME)
    return fail(error, CK_TRUNCATED_HEADER, offset, at->record, HEADER_SIZE, 0);
  if (code == CK_OK && (int64_t)record->size != span.size)
    return fail(error, CK_STALE_INDEX, offset, at->record, span.size, (int64_t)record->size);
  return code;
}

int ck_gather_examples(const uint8_t *buffer, size_t size, const ck_span *spans, size_t n_spans,
                       const uint8_t *schema, size_t schema_size, uint8_t *arena, size_t arena_size,
                       ck_column *columns, size_t n_columns, uint32_t options, ck_cursor *cursor,
                       ck_error *error) {
  const memory_range ranges[] = {{AT_BUFFER, false, buffer, size},
                                 {AT_SCHEMA, false, schema, schema_size},
                                 {AT_ARENA, true, arena, arena_size},
                                 {AT_COLUMNS, true, columns, n_columns * sizeof *columns},
                                 {AT_CURSOR, true, cursor, sizeof *cursor},
                                 {AT_SPANS, false, spans, n_spans * sizeof *spans}};
  _Alignas(16) char small[SMALL];
  decoder d;
  if (overlaps(ranges, 6, error))
    return CK_OVERLAP;
  ck_cursor state = copy_of(cursor);
  int64_t n = n_spans < INT64_MAX ? (int64_t)n_spans : INT64_MAX;
  int code = start(&d, ranges, small, n, &state, error);
  if (code != CK_OK)
    return code;

  crc32c_function *sums = sums_of(options);
  for (int64_t ahead = state.rows; code == CK_OK && state.rows < n;) {
    for (; ahead < n && ahead < state.rows + ROWS_AHEAD; ahead++)
      prefetch_record(buffer, size, d.base, spans[ahead]);
    ck_cursor at = {.base = d.base, .record = state.rows};
    ck_span span;
    copy_once(&span, &spans[state.rows], sizeof span);
    frame record;
    code = read_span(buffer, size, sums, span, &at, &record, error);
    if (code == CK_OK)
      code = decode_frame(&d, &record, &at, state.rows, error);
    state.rows += code == CK_OK;
  }
  *cursor = state;
  leave_tables(&d, columns);
  return code;
}
