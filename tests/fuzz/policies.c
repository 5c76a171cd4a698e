/* policies.c: the index of damaged files. The good records, the rubbish between them and the
 * flipped bits are known here, and so is the right result.
 *
 * An input is a number of flips, three bytes for each, and then the parts of the file: a byte with
 * the kind and the size of each.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cookbook.h"

enum { PARTS = 64, BYTES = PARTS * (64 + 16), FLIPS = 4 };

typedef struct {
  uint8_t bytes[BYTES];
  size_t size;
  ck_span good[PARTS]; /* the records without a flip */
  int n;
} made;

static uint32_t masked(const uint8_t *data, size_t size) {
  uint32_t crc = ck_crc32c(data, size, 0);
  return (crc >> 15 | crc << 17) + 0xa282ead8u;
}

static void append(made *file, const void *bytes, size_t size) {
  memcpy(file->bytes + file->size, bytes, size);
  file->size += size;
}

static void append_record(made *file, const uint8_t *data, uint64_t size) {
  uint32_t length_crc = masked((const uint8_t *)&size, 8), data_crc = masked(data, size);
  append(file, &size, 8);
  append(file, &length_crc, 4);
  file->good[file->n++] = (ck_span){(int64_t)file->size, (int64_t)size};
  append(file, data, size);
  append(file, &data_crc, 4);
}

static bool touches(ck_span span, int64_t at) {
  return at >= span.offset - 12 && at < span.offset + span.size + 4;
}

static void flip(made *file, size_t at, uint8_t mask) {
  if (file->size == 0 || mask == 0)
    return;
  at %= file->size;
  file->bytes[at] ^= mask;
  int kept = 0;
  for (int i = 0; i < file->n; i++)
    if (!touches(file->good[i], (int64_t)at))
      file->good[kept++] = file->good[i];
  file->n = kept;
}

static int64_t find(const made *file, size_t size, uint32_t options, ck_span *spans,
                    ck_cursor *cursor) {
  ck_error error;
  const ck_bytes buffer = {file->bytes, size};
  if (ck_index_records(buffer, spans, BYTES / 16, options, cursor, &error) != CK_OK)
    abort();
  return cursor->rows;
}

/* Return true if a header with a good sum before the record claims its bytes: the header of a
 * flipped record, or one forged in rubbish. The claimed bytes are lost if another good header
 * follows. */
static bool is_claimed(const made *file, ck_span want) {
  for (int64_t at = 0; at < want.offset - 12; at++) {
    uint64_t size;
    uint32_t stored;
    memcpy(&size, file->bytes + at, 8);
    memcpy(&stored, file->bytes + at + 8, 4);
    if (stored == masked(file->bytes + at, 8) && size <= file->size &&
        at + 12 + (int64_t)size + 4 > want.offset - 12)
      return true;
  }
  return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static made file;
  static ck_span spans[BYTES / 16], again[BYTES / 16];
  file.size = 0, file.n = 0;
  if (size < 2 + 3 * FLIPS)
    return 0;
  const uint8_t *flips = data + 2, *end = data + size;
  const uint8_t *at = flips + 3 * FLIPS;
  for (int part = 0; part < PARTS && at < end; part++) {
    size_t left = (size_t)(end - at) - 1, n = *at >> 2 < left ? *at >> 2 : left;
    if ((*at & 3) == 3)
      append(&file, at + 1, n);
    else
      append_record(&file, at + 1, n);
    at += 1 + n;
  }
  for (int i = 0; i < data[0] % (FLIPS + 1); i++)
    flip(&file, (size_t)(flips[3 * i] | flips[3 * i + 1] << 8), flips[3 * i + 2]);

  ck_cursor cursor = {0};
  int64_t n = find(&file, file.size, CK_RESYNC | CK_FINAL, spans, &cursor), found = 0, last = 0;
  for (int64_t i = 0; i < n; i++) { /* in order, disjoint and good */
    const uint8_t *record = file.bytes + spans[i].offset;
    uint32_t stored;
    memcpy(&stored, record + spans[i].size, 4);
    if (spans[i].offset < last + 12 || stored != masked(record, (size_t)spans[i].size))
      abort();
    last = spans[i].offset + spans[i].size + 4;
  }
  for (int i = 0; i < file.n; i++) { /* no good record is lost, unless such a header claims it */
    ck_span want = file.good[i];
    while (found < n && spans[found].offset < want.offset)
      found++;
    bool there = found < n && memcmp(&spans[found], &want, sizeof want) == 0;
    if (!there && !is_claimed(&file, want))
      abort();
  }
  /* The file read in two parts gives the same. */
  size_t cut = file.size ? data[1] * file.size / 255 : 0;
  cursor = (ck_cursor){0};
  find(&file, cut, CK_RESYNC, again, &cursor);
  if (find(&file, file.size, CK_RESYNC | CK_FINAL, again, &cursor) != n ||
      memcmp(spans, again, (size_t)n * sizeof *spans) != 0)
    abort();
  /* Without RESYNC the index stops at the first loss, which is at the first gap. */
  ck_error error;
  cursor = (ck_cursor){0};
  const ck_bytes buffer = {file.bytes, file.size};
  int code = ck_index_records(buffer, again, BYTES / 16, CK_VERIFY | CK_FINAL, &cursor, &error);
  if (cursor.rows > n || memcmp(spans, again, (size_t)cursor.rows * sizeof *spans) != 0 ||
      (code == CK_OK) != (cursor.position == (int64_t)file.size) ||
      (code != CK_OK && (error.record != cursor.rows || error.offset < cursor.position)))
    abort();
  return 0;
}
