/* Write TFRecord frames: length, CRC of the length, payload, CRC of the payload. */
#include "frame.h"

static inline uint8_t *store_le(uint8_t *at, uint64_t value, int bytes) {
  for (int i = 0; i < bytes; i++)
    *at++ = (uint8_t)(value >> 8 * i);
  return at;
}

static uint8_t *write_frame(crc32c_function *crc32c, const uint8_t *data, size_t size,
                            uint8_t *out) {
  uint8_t *header = out;
  out = store_le(out, size, 8);
  out = store_le(out, masked_crc(crc32c, header, 8), 4);
  if (size > 0)
    memcpy(out, data, size);
  return store_le(out + size, masked_crc(crc32c, data, size), 4);
}

void ck_frame_record(const uint8_t *data, size_t size, uint8_t *out) {
  write_frame(ck_choose_crc32c(), data, size, out);
}

int ck_frame_records(const uint8_t *data, size_t size, const int64_t *sizes, size_t n,
                     uint8_t *out) {
  size_t left = size;
  for (size_t i = 0; i < n; i++) {
    if (sizes[i] < 0 || (uint64_t)sizes[i] > left)
      return CK_ARGUMENT;
    left -= (size_t)sizes[i];
  }
  if (left != 0)
    return CK_ARGUMENT;
  crc32c_function *crc32c = ck_choose_crc32c();
  for (size_t i = 0; i < n; i++) {
    out = write_frame(crc32c, data, (size_t)sizes[i], out);
    data += sizes[i];
  }
  return CK_OK;
}
