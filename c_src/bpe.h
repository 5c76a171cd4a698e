/* bpe.h: what the tokenizer's files share. docs/tokenizer.md is the specification. */
#ifndef COOKBOOK_BPE_H
#define COOKBOOK_BPE_H

#include "cookbook.h"

#include <string.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the model is little-endian, and so must the machine be"
#endif

#define BPE_HIDDEN __attribute__((visibility("hidden")))

#define BPE_K1 0x9E3779B97F4A7C15u
#define BPE_K2 0xC2B2AE3D27D4EB4Fu
#define BPE_NONE UINT32_MAX /* no id, no rank */

/* ---- bpe_model.c: the tables ---- */

enum { BPE_SHORT = 15 }; /* bytes of the longest token of the short table */

/* A token of up to BPE_SHORT bytes as the short table keeps it; its slot is where to look first. */
typedef struct {
  uint64_t lo, hi;
  size_t slot;
} bpe_key;

typedef struct {
  const uint8_t *bytes;
  size_t size;
} bpe_token;

BPE_HIDDEN uint32_t bpe_long_id(const ck_bpe *model, const uint8_t *bytes, size_t size);
BPE_HIDDEN bpe_token bpe_token_bytes(const ck_bpe *model, uint32_t id); /* size 0: no such token */

static inline uint64_t bpe_load64(const uint8_t *bytes) {
  uint64_t word;
  memcpy(&word, bytes, 8);
  return word;
}

static inline uint32_t bpe_short_probe(const ck_bpe *model, bpe_key key) {
  size_t slots = (size_t)1 << model->short_bits;
  for (size_t step = 0, slot = key.slot; step < slots; step++, slot = (slot + 1) & (slots - 1)) {
    const uint8_t *entry = model->short_keys + 16 * slot;
    if (bpe_load64(entry) == key.lo && bpe_load64(entry + 8) == key.hi)
      return model->short_ids[slot];
    if (entry[15] == 0)
      break;
  }
  return BPE_NONE;
}

/* The key of bytes[0 .. size]; `readable` bytes may be read there, size <= readable. */
static inline bpe_key bpe_short_key(const ck_bpe *model, const uint8_t *bytes, size_t size,
                                    size_t readable) {
  uint8_t copy[16] = {0};
  if (readable < 16)
    bytes = memcpy(copy, bytes, size);
  uint64_t lo_mask = size < 8 ? ((uint64_t)1 << 8 * size) - 1 : UINT64_MAX;
  uint64_t hi_mask = size < 8 ? 0 : ((uint64_t)1 << 8 * (size - 8)) - 1;
  bpe_key key = {.lo = bpe_load64(bytes) & lo_mask,
                 .hi = (bpe_load64(bytes + 8) & hi_mask) | (uint64_t)size << 56};
  key.slot = (key.lo * BPE_K1 + key.hi * BPE_K2) >> (64 - model->short_bits);
  return key;
}

/* ---- bpe_utf8.c ---- */

/* The offset of the first byte of the first bad sequence, or `size`. */
BPE_HIDDEN size_t bpe_utf8(const uint8_t *text, size_t size);

/* ---- bpe_split.c ---- */

/* The ends of the next pieces of text[at .. end], at most `capacity`; how many. */
BPE_HIDDEN size_t bpe_pieces(const ck_bpe *model, const uint8_t *text, size_t at, size_t end,
                             size_t *ends, size_t capacity);

/* ---- bpe_merge.c ---- */

enum { BPE_SMALL = 64 }; /* a piece of at most so many bytes needs no scratch */

/* Merges bytes[0 .. size], 0 < size <= BPE_SMALL, into ids; how many. */
BPE_HIDDEN size_t bpe_merge_small(const ck_bpe *model, const uint8_t *bytes, size_t size,
                                  uint32_t ids[BPE_SMALL]);
/* The same for size < 2^32, with bpe_merge_scratch(size) bytes of scratch. Writes the first
 * `capacity` ids. */
BPE_HIDDEN size_t bpe_merge_large(const ck_bpe *model, const uint8_t *bytes, size_t size,
                                  uint32_t *ids, size_t capacity, void *scratch);
BPE_HIDDEN size_t bpe_merge_scratch(size_t size); /* SIZE_MAX: more than there can be */

/* ---- bpe_special.c ---- */

/* Finds those special tokens whose entry in `specials` is `wanted`. */
typedef struct {
  const ck_bpe *model;
  const uint8_t *specials;
  uint8_t wanted;
  uint8_t first_byte; /* of all of them, if `single` */
  uint8_t single;
  uint8_t prefix;      /* bytes of each that `filter` knows, 0: there are none */
  uint64_t filter[64]; /* a set of hashes of these bytes */
} bpe_finder;

BPE_HIDDEN bpe_finder bpe_finder_make(const ck_bpe *model, const uint8_t *specials, uint8_t wanted);
/* The leftmost occurrence from `at` on, of the longest token there: its offset, its number and its
 * size. Offset `size` when there is none. */
BPE_HIDDEN size_t bpe_find(const bpe_finder *finder, const uint8_t *text, size_t at, size_t size,
                           uint32_t *number, size_t *token_size);

/* ---- bpe_encode.c ---- */

/* The ids of a short piece that is no token, merged not long ago. hi is 0 in an empty entry. */
typedef struct {
  uint64_t lo, hi;
  uint32_t n, ids[11];
} bpe_recent;

/* One thread's encoding: where ids go, as many as fit, while `n` counts them all. */
typedef struct {
  const ck_bpe *model;
  const bpe_finder *refused, *allowed;
  uint32_t *ids;
  size_t capacity, n;
  void *scratch;
  size_t scratch_size;
  unsigned recent_bits;
  bpe_recent recent[1 << 8];
} bpe_encoder;

/* `size`: bytes of text to come. */
BPE_HIDDEN void bpe_encoder_init(bpe_encoder *encoder, const ck_bpe *model, size_t size);
/* One text with its special tokens, `record` being its number. */
BPE_HIDDEN int bpe_encode_text(bpe_encoder *encoder, const uint8_t *text, size_t size,
                               int64_t record, ck_error *error);

/* Fills *error and returns its code. */
static inline int bpe_fail(ck_error *error, ck_code code, int64_t offset, int64_t record,
                           int64_t field, size_t expected, size_t actual) {
  *error = (ck_error){code, offset, record, field, (int64_t)expected, (int64_t)actual};
  return code;
}

#endif
