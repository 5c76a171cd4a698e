/* varint_block.h: many varints at once. */
#ifndef VARINT_BLOCK_H
#define VARINT_BLOCK_H

#include <stddef.h>
#include <stdint.h>

/* A block function decodes the varints that end within the first `size` bytes at `at`, at most 64
 * bytes, until one is longer than 8 bytes. It returns how many, and in *used how many bytes they
 * are. It may read VARINT_BLOCK_READS bytes and write VARINT_BLOCK values, whatever it returns. */
enum { VARINT_BLOCK = 64, VARINT_BLOCK_READS = VARINT_BLOCK + 8 };

typedef size_t varint_block(const uint8_t *at, size_t size, uint64_t *values, size_t *used);

/* The fastest one for this machine. */
varint_block *ck_choose_varint_block(void);

#endif
