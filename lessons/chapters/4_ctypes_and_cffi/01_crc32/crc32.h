#include <stddef.h>
#include <stdint.h>

/* Return the CRC-32 of `size` bytes, as zlib, gzip and PNG have it. `before` is the CRC of the bytes
 * that stand in front of them, or 0. */
uint32_t crc32(const uint8_t *data, size_t size, uint32_t before);
