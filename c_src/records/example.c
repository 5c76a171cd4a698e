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

/* The memory of a call. Memory that is filled may not overlap any other. */
#define RANGES(buffer, batch, cursor)                                                              \
  {AT_BUFFER, false, (buffer).data, (buffer).size},                                                \
      {AT_SCHEMA, false, (batch)->schema.data, (batch)->schema.size},                              \
      {AT_ARENA, true, (batch)->arena.data, (batch)->arena.size},                                  \
      {AT_COLUMNS, true, (batch)->columns, (batch)->n_columns * sizeof *(batch)->columns}, {       \
    AT_CURSOR, true, cursor, sizeof *(cursor)                                                      \
  }

/* Check and copy the tables of a call. Return CK_OK, or another code after filling `error`. After
 * CK_OK the caller must call leave_tables(). */
static int start(decoder *d, ck_bytes buffer, const ck_batch *batch, void *small,
                 const ck_cursor *cursor, ck_error *error) {
  ck_bytes schema = batch->schema;
  ck_arena arena = batch->arena;
  *d = (decoder){.buffer = buffer.data,
                 .end = buffer.data + buffer.size,
                 .base = cursor->base,
                 .arena = arena.data,
                 .n_columns = batch->n_columns,
                 .varints = ck_choose_varint_runs()};
  if (!cursor_is_sane(cursor, buffer.size, batch->max_records) ||
      misaligned(arena.data, arena.size) || d->n_columns > schema.size / sizeof(ck_field) ||
      d->n_columns > INT32_MAX)
    return bad_argument(error);
  if (!take_tables(d, small, batch->columns, schema.data, schema.size))
    return fail(error, CK_MEMORY, 0, 0, 0, 0);
  if (!table_is_sane(d, schema.size, arena.size, batch->max_records)) {
    free(d->allocated);
    return bad_argument(error);
  }
  if (cursor->rows == 0)
    start_batch(d);
  index_names(d);
  return fail(error, CK_OK, 0, 0, 0, 0);
}

/* Prefetch bytes that lie within the buffer. CPUs prefetch only to the end of a page, so the first
 * lines of the next page would cause a wait. */
enum { READ_AHEAD = 2048, LINE = 64, MOST_AHEAD = 10 * LINE };

static inline void prefetch(const uint8_t *buffer, size_t size, size_t from, size_t wanted) {
  size_t most = wanted < MOST_AHEAD ? wanted : MOST_AHEAD;
  if (from < size && most < size - from)
    for (size_t line = 0; line < most; line += LINE)
      __builtin_prefetch(buffer + from + line);
}

int ck_decode_examples(ck_bytes buffer, const ck_batch *batch, uint32_t options, ck_cursor *cursor,
                       ck_error *error) {
  const memory_range ranges[] = {RANGES(buffer, batch, cursor)};
  _Alignas(16) char small[SMALL];
  decoder d;
  if (overlaps(ranges, 5, error))
    return CK_OVERLAP;
  ck_cursor at = copy_of(cursor);
  int code = start(&d, buffer, batch, small, &at, error);
  if (code != CK_OK)
    return code;

  crc32c_function *sums = sums_of(options);
  while (at.rows < batch->max_records) {
    frame record;
    code = read_frame(buffer.data, buffer.size, sums, options & CK_FINAL, &at, &record, error);
    if (code == CK_OK) {
      prefetch(buffer.data, buffer.size, (size_t)at.position + READ_AHEAD, record.size);
      code = decode_frame(&d, &record, &at, at.rows, error);
    }
    if (code != CK_OK)
      break;
    advance(&at, record.size);
  }
  *cursor = at;
  leave_tables(&d, batch->columns);
  return code == NO_FRAME ? CK_OK : code;
}

/* ---- in any order ------------------------------------------------------------------------- */

/* Gathered records are far from one another: each is prefetched some rows before its turn, from its
 * header to the cache line after it, because varints are read beyond their end. */
enum { ROWS_AHEAD = 8 };

static void prefetch_record(const uint8_t *buffer, size_t size, int64_t base, ck_span span) {
  uint64_t at = (uint64_t)span.offset - (uint64_t)base - HEADER_SIZE, room = (uint64_t)span.size;
  prefetch(buffer, size, (size_t)at, room < MOST_AHEAD ? (size_t)room + 2 * LINE : MOST_AHEAD);
}

/* Read the frame whose payload `span` describes, which must lie in the buffer. */
static int read_span(ck_bytes buffer, crc32c_function *sums, ck_span span, ck_cursor *at,
                     frame *record, ck_error *error) {
  if (span.offset < at->base || span.offset - at->base < HEADER_SIZE)
    return bad_argument(error);
  at->position = span.offset - at->base - HEADER_SIZE;
  int code = NO_FRAME;
  if (at->position < (int64_t)buffer.size)
    code = read_frame(buffer.data, buffer.size, sums, true, at, record, error);
  int64_t offset = span.offset - HEADER_SIZE;
  if (code == NO_FRAME)
    return fail(error, CK_TRUNCATED_HEADER, offset, at->record, HEADER_SIZE, 0);
  if (code == CK_OK && (int64_t)record->size != span.size)
    return fail(error, CK_STALE_INDEX, offset, at->record, span.size, (int64_t)record->size);
  return code;
}

int ck_gather_examples(ck_bytes buffer, const ck_span *spans, const ck_batch *batch,
                       uint32_t options, ck_cursor *cursor, ck_error *error) {
  const int64_t n = batch->max_records;
  const memory_range ranges[] = {RANGES(buffer, batch, cursor),
                                 {AT_SPANS, false, spans, n > 0 ? (size_t)n * sizeof *spans : 0}};
  _Alignas(16) char small[SMALL];
  decoder d;
  if (overlaps(ranges, 6, error))
    return CK_OVERLAP;
  ck_cursor state = copy_of(cursor);
  int code = start(&d, buffer, batch, small, &state, error);
  if (code != CK_OK)
    return code;

  crc32c_function *sums = sums_of(options);
  for (int64_t ahead = state.rows; code == CK_OK && state.rows < n;) {
    for (; ahead < n && ahead < state.rows + ROWS_AHEAD; ahead++)
      prefetch_record(buffer.data, buffer.size, d.base, spans[ahead]);
    ck_cursor at = {.base = d.base, .record = state.rows};
    ck_span span;
    copy_once(&span, &spans[state.rows], sizeof span);
    frame record;
    code = read_span(buffer, sums, span, &at, &record, error);
    if (code == CK_OK)
      code = decode_frame(&d, &record, &at, state.rows, error);
    state.rows += code == CK_OK;
  }
  *cursor = state;
  leave_tables(&d, batch->columns);
  return code;
}
