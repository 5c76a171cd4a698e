/* crc32c.h: ck_crc32c for whoever sums many records, and would not ask each time which one is best. */
#ifndef CRC32C_H
#define CRC32C_H

#include <stddef.h>
#include <stdint.h>

typedef uint32_t crc32c_function(const uint8_t *data, size_t size);

/* The fastest one for this machine. */
crc32c_function *ck_choose_crc32c(void);

#endif
