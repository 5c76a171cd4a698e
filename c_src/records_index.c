/* records_index.c: where the records of a TFRecord file lie. */
#include "records_frame.h"

int ck_index_records(const uint8_t *buffer, size_t size, ck_span *spans, size_t capacity,
                     uint32_t options, ck_cursor *cursor, ck_error *error) {
  int64_t max_rows = capacity < INT64_MAX ? (int64_t)capacity : INT64_MAX;
  if (!cursor_is_sane(cursor, size, max_rows))
    return bad_argument(error);

  fail(error, CK_OK, 0, 0, 0, 0);
  while (cursor->rows < max_rows) {
    frame record;
    int code = read_frame(buffer, size, options, cursor, &record, error);
    if (code == NO_FRAME)
      return CK_OK;
    if (code != CK_OK)
      return code;
    spans[cursor->rows] =
        (ck_span){cursor->base + cursor->position + HEADER_SIZE, (int64_t)record.size};
    advance(cursor, record.size);
  }
  return CK_OK;
}
