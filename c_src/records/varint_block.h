/* varint_block.h: many varints at once. */
#ifndef VARINT_BLOCK_H
#define VARINT_BLOCK_H

#include <stddef.h>
#include <stdint.h>

/* What has been taken of a run: in registers, where a pointer would need memory. */
typedef struct {
  size_t bytes;
  int64_t values;
} varints_taken;

/* A function decodes the first varints of a run of `size` bytes, of which `readable`, at least as many,
 * may be read. It stops before one of more than 8 bytes (run32, run16: 4 bytes, so 28 bits), one that
 * does not fit, the last of all if it is cut short, and when there is no more room for VARINT_BLOCK
 * values; or earlier, near the end of what may be read. It may write VARINT_BLOCK values behind those
 * it has taken. */
enum { VARINT_BLOCK = 64 };

typedef struct {
  varints_taken (*run64)(const uint8_t *at, size_t size, size_t readable, uint64_t *values,
                         int64_t room);
  varints_taken (*run32)(const uint8_t *at, size_t size, size_t readable, uint32_t *values,
                         int64_t room);
  varints_taken (*run16)(const uint8_t *at, size_t size, size_t readable, uint16_t *values,
                         int64_t room);
} varint_runs;

/* The fastest ones for this machine. */
varint_runs ck_choose_varint_runs(void);

#endif
