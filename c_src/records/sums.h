/* The CRC of any part of a buffer, in about the time that two blocks take.
 *
 * A search over damaged bytes may meet a forged header every twelve bytes, and each may claim much
 * of the buffer. Summing every claim would take quadratic time. So the CRC of each prefix of the
 * buffer is stored, block by block, and the CRC of a claim is combined from two of them:
 *
 *     until[first] |<-- head -->|<------- blocks ------->|<-- tail -->|
 *     ...--+-------|------------+------------+-----------|------------+--...
 *                 from    first * BLOCK            last * BLOCK      end
 *
 *     body             = move(crc(head) ^ until[first], blocks) ^ until[last]
 *     crc(from .. end) = move(body, tail) ^ crc(tail)
 *
 * Here move(crc, n) is ck_move_crc32c. The table takes 1/64 of the buffer. */
#pragma once

#include <stdlib.h>

#include "frame.h"

enum { BLOCK = 256 };

typedef struct {
  crc32c_function *crc32c;
  const uint8_t *buffer;
  size_t size;
  int64_t start;   /* offset in the buffer at which the call began */
  int64_t in_vain; /* bytes of payloads that were summed and turned out to be bad */
  size_t n;        /* blocks whose entry in `until` is computed */
  uint32_t *until; /* until[i]: the CRC of the first i blocks from `start` on; NULL: none yet */
} sums;

/* Extend the table to the end of block `last`. Return false if there is no memory for it. */
static inline bool reach(sums *s, size_t last) {
  const uint8_t *first = s->buffer + s->start;
  if (!s->until) {
    s->until = malloc(((s->size - (size_t)s->start) / BLOCK + 1) * sizeof *s->until);
    if (!s->until)
      return false;
    s->until[0] = 0;
  }
  for (; s->n < last; s->n++)
    s->until[s->n + 1] =
        ck_move_crc32c(s->until[s->n], BLOCK) ^ s->crc32c(first + s->n * BLOCK, BLOCK);
  return true;
}

/* Set *good to whether the payload of a frame at `position` has the CRC stored after it. Return
 * CK_OK, or CK_MEMORY. A payload is summed directly as long as fewer bytes have been summed in vain
 * than have been passed. */
static inline int check_payload(sums *s, int64_t position, const frame *record, bool *good,
                                ck_error *error) {
  size_t from = (size_t)(record->data - s->buffer) - (size_t)s->start, end = from + record->size;
  size_t first = (from + BLOCK - 1) / BLOCK, last = end / BLOCK;
  uint32_t crc;
  if (s->in_vain <= position - s->start || first >= last) {
    crc = s->crc32c(record->data, record->size);
  } else {
    if (!reach(s, last))
      return fail(error, CK_MEMORY, 0, 0, 0, 0);
    size_t head = first * BLOCK - from, tail = end - last * BLOCK;
    crc = s->crc32c(record->data, head) ^ s->until[first];
    crc = ck_move_crc32c(crc, (last - first) * BLOCK) ^ s->until[last];
    crc = ck_move_crc32c(crc, tail) ^ s->crc32c(record->data + record->size - tail, tail);
  }
  *good = mask_crc32c(crc) == load_le32(record->data + record->size);
  return CK_OK;
}
