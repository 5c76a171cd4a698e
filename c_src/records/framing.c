/* Write a TFRecord frame: length, CRC of the length, payload, CRC of the payload. */
#include "frame.h"

static uint8_t *store_le(uint8_t *at, uint64_t value, int bytes) {
  for (int i = 0; i < bytes; i++)
    *at++ = (uint8_t)(value >> 8 * i);
  return at;
}

void ck_frame_record(const uint8_t *data, size_t size, uint8_t *out) {
  crc32c_function *crc32c = ck_choose_crc32c();
  uint8_t *header = out;
  out = store_le(out, size, 8);
  out = store_le(out, masked_crc(crc32c, header, 8), 4);
  if (size > 0)
    memcpy(out, data, size);
  store_le(out + size, masked_crc(crc32c, data, size), 4);
}
