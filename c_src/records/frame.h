/* The code that all records kernels share: little-endian loads, errors, the cursor, and the frame
 * of a TFRecord.
 *
 *   position                                                           next position
 *   | length u64 | its CRC u32 | payload: `length` bytes | its CRC u32 |
 *   |<------ HEADER_SIZE ----->|                         |FOOTER_SIZE| */
#pragma once

#include <stdbool.h>
#include <string.h>

#include "cookbook.h"
#include "crc32c.h"

/* Return a value that the compiler cannot read again. Another thread may change the input at any
 * time, so the number that is checked must be the number that is used: this hides its origin.
 */
static inline uint64_t read_once(uint64_t value) {
  __asm__("" : "+r"(value));
  return value;
}

static inline uint32_t load_le32(const uint8_t *at) {
  uint32_t value;
  memcpy(&value, at, sizeof value);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  value = __builtin_bswap32(value);
#endif
  return value;
}

static inline uint64_t load_le64(const uint8_t *at) {
  uint64_t value;
  memcpy(&value, at, sizeof value);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  value = __builtin_bswap64(value);
#endif
  return value;
}

static inline int fail(ck_error *error, int code, int64_t offset, int64_t record, int64_t expected,
                       int64_t actual) {
  *error = (ck_error){code, offset, record, -1, expected, actual};
  return code;
}

static inline int bad_argument(ck_error *error) { return fail(error, CK_ARGUMENT, 0, 0, 0, 0); }

/* Return true if no offset or record number of the call can overflow. */
static inline bool cursor_is_sane(const ck_cursor *cursor, size_t size, int64_t max_rows) {
  if (size > INT64_MAX)
    return false;
  int64_t bytes = (int64_t)size;
  return cursor->base >= 0 && cursor->base <= INT64_MAX - bytes && cursor->position >= 0 &&
         cursor->position <= bytes && cursor->record >= 0 && cursor->record <= INT64_MAX - bytes &&
         cursor->rows >= 0 && cursor->rows <= max_rows;
}

/* Return true if items of 8 bytes in the arena would be misaligned. An empty arena never is. */
static inline bool misaligned(const void *arena, size_t size) {
  return size && (uintptr_t)arena % 8 != 0;
}

enum { HEADER_SIZE = 12, FOOTER_SIZE = 4 };

typedef struct {
  const uint8_t *data;
  size_t size;
} frame;

static inline uint32_t masked_crc(crc32c_function *crc32c, const uint8_t *data, size_t size) {
  return mask_crc32c(crc32c(data, size));
}

/* Report that the input ends before the next frame does. The rest of a partial frame is expected to
 * follow, unless the input is final: then it is an error. */
enum { NO_FRAME = -1 };

/* Return the function that checks CRCs, or NULL if they are not checked. */
static inline crc32c_function *sums_of(uint32_t options) {
  return options & CK_VERIFY ? ck_choose_crc32c() : NULL;
}

/* Find the frame at the cursor without checking its payload. Return CK_OK, NO_FRAME, or another
 * code after filling `error`. */
static inline int find_frame(const uint8_t *buffer, size_t size, crc32c_function *sums, bool final,
                             const ck_cursor *cursor, frame *out, ck_error *error) {
  size_t left = size - (size_t)cursor->position;
  int64_t offset = cursor->base + cursor->position, record = cursor->record;
  int64_t data_offset = offset + HEADER_SIZE;

  if (left == 0)
    return NO_FRAME;
  if (left < HEADER_SIZE)
    return final ? fail(error, CK_TRUNCATED_HEADER, offset, record, HEADER_SIZE, (int64_t)left)
                 : NO_FRAME;

  const uint8_t *header = buffer + cursor->position;
  uint64_t data_size = read_once(load_le64(header));
  if (sums) {
    uint32_t stored = load_le32(header + 8), computed = masked_crc(sums, header, 8);
    if (stored != computed)
      return fail(error, CK_LENGTH_CRC, offset, record, stored, computed);
  }
  const int64_t limit = INT64_MAX - HEADER_SIZE - FOOTER_SIZE;
  if (data_size > (uint64_t)limit)
    return fail(error, CK_LENGTH_LIMIT, offset, record, limit, (int64_t)data_size);

  left -= HEADER_SIZE;
  if (data_size > left)
    return final ? fail(error, CK_TRUNCATED_DATA, data_offset, record, (int64_t)data_size,
                        (int64_t)left)
                 : NO_FRAME;
  left -= data_size;
  if (left < FOOTER_SIZE)
    return final ? fail(error, CK_TRUNCATED_FOOTER, data_offset + (int64_t)data_size, record,
                        FOOTER_SIZE, (int64_t)left)
                 : NO_FRAME;

  *out = (frame){header + HEADER_SIZE, data_size};
  return CK_OK;
}

/* Read and check the frame at the cursor, without moving the cursor. Return CK_OK, NO_FRAME, or
 * another code after filling `error`. */
static inline int read_frame(const uint8_t *buffer, size_t size, crc32c_function *sums, bool final,
                             const ck_cursor *cursor, frame *out, ck_error *error) {
  int code = find_frame(buffer, size, sums, final, cursor, out, error);
  if (code != CK_OK || !sums)
    return code;
  uint32_t stored = load_le32(out->data + out->size);
  uint32_t computed = masked_crc(sums, out->data, out->size);
  if (stored == computed)
    return CK_OK;
  int64_t offset = cursor->base + cursor->position + HEADER_SIZE;
  return fail(error, CK_DATA_CRC, offset, cursor->record, stored, computed);
}

/* Move the cursor past its frame, and count the frame's record as read. */
static inline void advance(ck_cursor *cursor, size_t data_size) {
  cursor->position += HEADER_SIZE + (int64_t)data_size + FOOTER_SIZE;
  cursor->record++;
  cursor->rows++;
}
