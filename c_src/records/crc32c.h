/* crc32c.h: ck_crc32c for whoever sums many records, and would not ask each time which one is best. */
#ifndef CRC32C_H
#define CRC32C_H

#include <stddef.h>
#include <stdint.h>

typedef uint32_t crc32c_function(const uint8_t *data, size_t size);

/* The fastest one for this machine. */
crc32c_function *ck_choose_crc32c(void);

/* The CRC as TFRecord stores it. */
static inline uint32_t mask_crc32c(uint32_t crc) {
  return ((crc >> 15) | (crc << 17)) + 0xa282ead8u;
}

/* What the CRC of some data adds to that of the same data with `size` bytes behind it:
 * crc(a b) == ck_move_crc32c(crc(a), size of b) ^ crc(b). Takes O(log size). */
uint32_t ck_move_crc32c(uint32_t crc, uint64_t size);

/* The first offset from `from` on and below `to` at which a TFRecord's header stands, eight bytes and
 * their masked CRC, or `to`. Reads the eleven bytes behind `to` too. */
size_t ck_find_header(const uint8_t *data, size_t from, size_t to);

#endif
