/* records_example.c: tf.train.Example records into columns, one after the other or as an index says.
 */
#include "records_plain.h"

/* Decodes the frame at `cursor` into row `row`: CK_OK, or another code and `error`. */
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

static bool start(decoder *d, size_t size, size_t schema_size, size_t arena_size,
                  int64_t max_records, const ck_cursor *cursor) {
  if (!cursor_is_sane(cursor, size, max_records) ||
      !table_is_sane(d, schema_size, arena_size, max_records))
    return false;
  hash_names(d);
  if (cursor->rows == 0)
    start_batch(d);
  return true;
}

/* Asks for memory, as far as it is there. CPUs look no further ahead unasked than to the end of a page,
 * so that the first lines of the next would be waited for. */
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
  decoder d = {.buffer = buffer,
               .end = buffer + size,
               .base = cursor->base,
               .schema = schema,
               .arena = arena,
               .columns = columns,
               .n_columns = n_columns,
               .varints = ck_choose_varint_runs()};
  if (!start(&d, size, schema_size, arena_size, max_records, cursor))
    return bad_argument(error);

  fail(error, CK_OK, 0, 0, 0, 0);
  crc32c_function *sums = sums_of(options);
  ck_cursor at = *cursor; /* a copy: another thread's cursor may lie in the same cache line */
  int code = CK_OK;
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
  return code == NO_FRAME ? CK_OK : code;
}

/* ---- in any order ------------------------------------------------------------------------- */

/* Records apart from one another: memory is asked for each some rows before its turn, from its
 * header to the line behind it, for varints are looked at beyond their end. */
enum { ROWS_AHEAD = 8 };

static void prefetch_record(const uint8_t *buffer, size_t size, int64_t base, ck_span span) {
  uint64_t at = (uint64_t)span.offset - (uint64_t)base - HEADER_SIZE, room = (uint64_t)span.size;
  prefetch(buffer, size, (size_t)at, room < MOST_AHEAD ? (size_t)room + 2 * LINE : MOST_AHEAD);
}

/* The frame that `span` tells of, which must lie in the buffer. */
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
  decoder d = {.buffer = buffer,
               .end = buffer + size,
               .base = cursor->base,
               .schema = schema,
               .arena = arena,
               .columns = columns,
               .n_columns = n_columns,
               .varints = ck_choose_varint_runs()};
  int64_t n = n_spans < INT64_MAX ? (int64_t)n_spans : INT64_MAX;
  if (!start(&d, size, schema_size, arena_size, n, cursor))
    return bad_argument(error);

  fail(error, CK_OK, 0, 0, 0, 0);
  crc32c_function *sums = sums_of(options);
  for (int64_t ahead = cursor->rows; cursor->rows < n; cursor->rows++) {
    for (; ahead < n && ahead < cursor->rows + ROWS_AHEAD; ahead++)
      prefetch_record(buffer, size, d.base, spans[ahead]);
    ck_cursor at = {.base = d.base, .record = cursor->rows};
    frame record;
    int code = read_span(buffer, size, sums, spans[cursor->rows], &at, &record, error);
    if (code == CK_OK)
      code = decode_frame(&d, &record, &at, cursor->rows, error);
    if (code != CK_OK)
      return code;
  }
  return CK_OK;
}
