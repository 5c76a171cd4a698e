/* varint_block.h: many varints at once. */
#ifndef VARINT_BLOCK_H
#define VARINT_BLOCK_H

#include <stddef.h>
#include <stdint.h>

/* A block function decodes the varints that end within the first `size` bytes at `at`, at most 64
 * bytes, until one is longer than 8 bytes (block32, block16: than 4 bytes, so 28 bits). It returns
 * how many, and in *used how many bytes they are: 0 if block16 finds one that does not fit. It may read VARINT_BLOCK_READS bytes and write VARINT_BLOCK
 * values, whatever it returns. */
enum { VARINT_BLOCK = 64, VARINT_BLOCK_READS = VARINT_BLOCK + 8 };

typedef struct {
  size_t (*block64)(const uint8_t *at, size_t size, uint64_t *values, size_t *used);
  size_t (*block32)(const uint8_t *at, size_t size, uint32_t *values, size_t *used);
  size_t (*block16)(const uint8_t *at, size_t size, uint16_t *values, size_t *used);
} varint_blocks;

/* The fastest ones for this machine. */
varint_blocks ck_choose_varint_blocks(void);

#endif
