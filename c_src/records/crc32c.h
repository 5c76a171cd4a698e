/* CRC-32C for the records kernels, which choose the function once for many records. */
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef uint32_t crc32c_function(const uint8_t *data, size_t size);

/* Return the fastest function for this machine. */
crc32c_function *ck_choose_crc32c(void);

/* Return the CRC as TFRecord stores it. */
static inline uint32_t mask_crc32c(uint32_t crc) {
  return ((crc >> 15) | (crc << 17)) + 0xa282ead8u;
}

/* Return the contribution of `crc`, the CRC of data a, to the CRC of a followed by `size` bytes b:
 * crc(a b) == ck_move_crc32c(crc(a), size of b) ^ crc(b). This takes O(log size)
 * multiplications. */
uint32_t ck_move_crc32c(uint32_t crc, uint64_t size);

/* Return the first offset from `from` on and below `to` at which there is a header of a TFRecord,
 * eight bytes and their masked CRC; or `to`. This also reads the eleven bytes from `to` on. */
size_t ck_find_header(const uint8_t *data, size_t from, size_t to);
