/* Encoding of integers as protobuf's varints: seven bits a byte, the lowest first. Bit 7 of a byte
 * says that another one follows.
 *
 *     300 = 10 0101100  ->  1|0101100  0|0000010 */
#include "cookbook.h"

size_t ck_encode_varints(const int64_t *values, size_t n, uint8_t *out) {
  uint8_t *at = out;
  for (size_t i = 0; i < n; i++) {
    uint64_t value = (uint64_t)values[i];
    for (; value >= 0x80; value >>= 7)
      *at++ = (uint8_t)(value | 0x80);
    *at++ = (uint8_t)value;
  }
  return (size_t)(at - out);
}
