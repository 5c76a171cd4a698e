/* Decoding of many varints at once. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* The bytes and values that a function has decoded. It is returned by value, so that it stays in
 * registers. */
typedef struct {
  size_t bytes;
  int64_t values;
} varints_taken;

/* Each function decodes varints from the beginning of a run of `size` bytes. It may read `readable`
 * >= `size` bytes. It stops
 *   - before a varint of more than 8 bytes (run32 and run16: 4 bytes, which hold 28 bits),
 *   - before a value that does not fit the type,
 *   - before the last varint, if that is cut short,
 *   - when there is no room for VARINT_BLOCK more values,
 *   - or earlier, near the end of the readable bytes.
 * It may write up to VARINT_BLOCK values after those that it has decoded. */
enum { VARINT_BLOCK = 64 };

typedef struct {
  varints_taken (*run64)(const uint8_t *at, size_t size, size_t readable, uint64_t *values,
                         int64_t room);
  varints_taken (*run32)(const uint8_t *at, size_t size, size_t readable, uint32_t *values,
                         int64_t room);
  varints_taken (*run16)(const uint8_t *at, size_t size, size_t readable, uint16_t *values,
                         int64_t room);
} varint_runs;

/* Return the fastest functions for this machine. */
varint_runs ck_choose_varint_runs(void);
