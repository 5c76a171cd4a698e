/* records_index.c: where the records of a TFRecord file lie, the damaged ones stepped over if asked.
 */
#include "records_tables.h"

static bool good_header(crc32c_function *sums, const uint8_t *at) {
  return masked_crc(sums, at, 8) == load_le32(at + 8);
}

/* How far to go on from a damaged record. If another one follows where it claims to end, only its
 * data is damaged; else nothing it says is worth believing, and a record may begin at any byte.
 * NO_FRAME: what follows has not been read yet. */
static int64_t step_over(const uint8_t *buffer, size_t size, crc32c_function *sums, bool final,
                         const ck_cursor *cursor, const frame *damaged, int code) {
  if (code != CK_DATA_CRC)
    return 1;
  const uint8_t *behind = damaged->data + damaged->size + FOOTER_SIZE;
  size_t left = size - (size_t)(behind - buffer);
  if (left < HEADER_SIZE && !final)
    return NO_FRAME;
  if (left == 0 || (left >= HEADER_SIZE && good_header(sums, behind)))
    return behind - buffer - cursor->position;
  return 1;
}

/* Only a header tells where the next one is, so memory would be waited for at each of them, did not
 * somebody ask for what lies some records ahead. */
enum { READ_AHEAD = 4096 };

static inline void read_ahead(const uint8_t *buffer, size_t size, const ck_cursor *cursor) {
  if (size - (size_t)cursor->position > READ_AHEAD)
    __builtin_prefetch(buffer + cursor->position + READ_AHEAD);
}

static int fill(const uint8_t *buffer, size_t size, ck_span *spans, int64_t max_rows,
                uint32_t options, ck_cursor *at, ck_error *error) {
  crc32c_function *sums = sums_of(options & CK_RESYNC ? CK_VERIFY : options);
  bool final = options & CK_FINAL;
  fail(error, CK_OK, 0, 0, 0, 0);
  while (at->rows < max_rows) {
    frame record;
    read_ahead(buffer, size, at);
    int code = read_frame(buffer, size, sums, final, at, &record, error);
    if (code == CK_OK) {
      spans[at->rows] = (ck_span){at->base + at->position + HEADER_SIZE, (int64_t)record.size};
      advance(at, record.size);
      continue;
    }
    if (code == NO_FRAME)
      break;
    if (!(options & CK_RESYNC))
      return code;
    int64_t step = step_over(buffer, size, sums, final, at, &record, code);
    fail(error, CK_OK, 0, 0, 0, 0);
    if (step == NO_FRAME)
      break;
    at->position += step;
  }
  return CK_OK;
}

int ck_index_records(const uint8_t *buffer, size_t size, ck_span *spans, size_t capacity,
                     uint32_t options, ck_cursor *cursor, ck_error *error) {
  const memory_range ranges[] = {{AT_BUFFER, false, buffer, size},
                                 {AT_SPANS, true, spans, capacity * sizeof *spans},
                                 {AT_CURSOR, true, cursor, sizeof *cursor}};
  if (overlaps(ranges, 3, error))
    return CK_OVERLAP;
  ck_cursor at = copy_of(cursor);
  int64_t max_rows = capacity < INT64_MAX ? (int64_t)capacity : INT64_MAX;
  if (!cursor_is_sane(&at, size, max_rows))
    return bad_argument(error);
  int code = fill(buffer, size, spans, max_rows, options, &at, error);
  *cursor = at;
  return code;
}
