/* The spans of a TFRecord file's records, with an optional search for the next valid frame after
 * damage (CK_RESYNC). */
#include "sums.h"
#include "tables.h"

/* Only the header of a frame says where the next one is, so reading each header would wait for
 * memory. Therefore the bytes some records ahead are prefetched. */
enum { READ_AHEAD = 4096 };

static inline void read_ahead(const uint8_t *buffer, size_t size, const ck_cursor *cursor) {
  if (size - (size_t)cursor->position > READ_AHEAD)
    __builtin_prefetch(buffer + cursor->position + READ_AHEAD);
}

static void enter(ck_span *spans, ck_cursor *at, size_t data_size) {
  spans[at->rows] = (ck_span){at->base + at->position + HEADER_SIZE, (int64_t)data_size};
  advance(at, data_size);
}

static int fill(const uint8_t *buffer, size_t size, ck_span *spans, int64_t max_rows,
                uint32_t options, ck_cursor *at, ck_error *error) {
  crc32c_function *sums = sums_of(options);
  while (at->rows < max_rows) {
    frame record;
    read_ahead(buffer, size, at);
    int code = read_frame(buffer, size, sums, options & CK_FINAL, at, &record, error);
    if (code != CK_OK)
      return code;
    enter(spans, at, record.size);
  }
  return CK_OK;
}

/* ---- a search over damage ------------------------------------------------------------------ */

/* The most bytes that a call steps over one by one, or a part of the buffer if that is more. Then
 * it returns, so that a long search can be interrupted. */
enum { SEARCH = 1 << 24, PARTS = 16 };

/* Return the number of bytes to step over at a frame whose payload is damaged. If another frame
 * follows where this one claims to end, only the payload is damaged. If not, no field of the frame
 * can be trusted, and a record may begin at any byte. Return NO_FRAME if the bytes that follow have
 * not been read yet. */
static int64_t step_over(const uint8_t *buffer, size_t size, bool final, const ck_cursor *cursor,
                         const frame *damaged) {
  const uint8_t *after = damaged->data + damaged->size + FOOTER_SIZE;
  size_t at = (size_t)(after - buffer), left = size - at;
  if (left < HEADER_SIZE && !final)
    return NO_FRAME;
  if (left == 0 || (left >= HEADER_SIZE && ck_find_header(buffer, at, at + 1) == at))
    return (int64_t)at - cursor->position;
  return 1;
}

/* Return the first offset after `at` that has a header, or the end of the search: `stop`, or the
 * place after which too few bytes have been read. */
static int64_t next_header(const uint8_t *buffer, int64_t size, bool final, int64_t at,
                           int64_t stop) {
  int64_t last = size - HEADER_SIZE + 1, to = stop < last ? stop : last;
  if (at + 1 < to) {
    int64_t found = (int64_t)ck_find_header(buffer, (size_t)at + 1, (size_t)to);
    if (found < to)
      return found;
  }
  return final ? stop : to;
}

static int fill_with_good(const uint8_t *buffer, size_t size, ck_span *spans, int64_t max_rows,
                          bool final, ck_cursor *at, ck_error *error) {
  sums known = {ck_choose_crc32c(), buffer, size, at->position, 0, 0, NULL};
  int64_t left = SEARCH > (int64_t)size / PARTS ? SEARCH : (int64_t)size / PARTS;
  int code = CK_OK;
  while (at->rows < max_rows && left > 0) {
    frame record;
    read_ahead(buffer, size, at);
    code = find_frame(buffer, size, known.crc32c, final, at, &record, error);
    if (code == NO_FRAME)
      break;
    if (code == CK_OK) {
      bool good;
      code = check_payload(&known, at->position, &record, &good, error);
      if (code != CK_OK)
        break;
      if (good) {
        enter(spans, at, record.size);
        continue;
      }
      int64_t step = step_over(buffer, size, final, at, &record);
      if (step == NO_FRAME)
        break;
      if (step > 1) {
        at->position += step;
        continue;
      }
      known.in_vain += (int64_t)record.size;
    }
    int64_t stop = (int64_t)size - at->position < left ? (int64_t)size : at->position + left;
    int64_t next = next_header(buffer, (int64_t)size, final, at->position, stop);
    left -= next - at->position;
    at->position = next;
  }
  free(known.until);
  if (code == CK_MEMORY)
    return code;
  return fail(error, CK_OK, 0, 0, 0, 0);
}

int ck_index_records(ck_bytes buffer, ck_span *spans, size_t capacity, uint32_t options,
                     ck_cursor *cursor, ck_error *error) {
  const memory_range ranges[] = {{AT_BUFFER, false, buffer.data, buffer.size},
                                 {AT_SPANS, true, spans, capacity * sizeof *spans},
                                 {AT_CURSOR, true, cursor, sizeof *cursor}};
  if (overlaps(ranges, 3, error))
    return CK_OVERLAP;
  ck_cursor at = copy_of(cursor);
  int64_t max_rows = capacity < INT64_MAX ? (int64_t)capacity : INT64_MAX;
  if (!cursor_is_sane(&at, buffer.size, max_rows))
    return bad_argument(error);
  fail(error, CK_OK, 0, 0, 0, 0);
  int code = options & CK_RESYNC
                 ? fill_with_good(buffer.data, buffer.size, spans, max_rows, options & CK_FINAL,
                                  &at, error)
                 : fill(buffer.data, buffer.size, spans, max_rows, options, &at, error);
  *cursor = at;
  return code == NO_FRAME ? CK_OK : code;
}
