/* records_index.c: where the records of a TFRecord file lie, the damaged ones stepped over if asked.
 */
#include "records_frame.h"

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

int ck_index_records(const uint8_t *buffer, size_t size, ck_span *spans, size_t capacity,
                     uint32_t options, ck_cursor *cursor, ck_error *error) {
  int64_t max_rows = capacity < INT64_MAX ? (int64_t)capacity : INT64_MAX;
  if (!cursor_is_sane(cursor, size, max_rows))
    return bad_argument(error);
  crc32c_function *sums = sums_of(options & CK_RESYNC ? CK_VERIFY : options);
  bool final = options & CK_FINAL;

  fail(error, CK_OK, 0, 0, 0, 0);
  while (cursor->rows < max_rows) {
    frame record;
    read_ahead(buffer, size, cursor);
    int code = read_frame(buffer, size, sums, final, cursor, &record, error);
    if (code == CK_OK) {
      spans[cursor->rows] =
          (ck_span){cursor->base + cursor->position + HEADER_SIZE, (int64_t)record.size};
      advance(cursor, record.size);
      continue;
    }
    if (code == NO_FRAME)
      break;
    if (!(options & CK_RESYNC))
      return code;
    int64_t step = step_over(buffer, size, sums, final, cursor, &record, code);
    fail(error, CK_OK, 0, 0, 0, 0);
    if (step == NO_FRAME)
      break;
    cursor->position += step;
  }
  return CK_OK;
}
