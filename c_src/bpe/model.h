/* model.h: an open model, and look-ups of bytes, pretokens and ids in its tables. */
#pragma once

#include "cookbook.h"

#include <string.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the model is little-endian, so the machine must be little-endian too"
#endif

#define BPE_HIDDEN __attribute__((visibility("hidden")))

#define BPE_K1 0x9E3779B97F4A7C15u
#define BPE_K2 0xC2B2AE3D27D4EB4Fu
#define BPE_NONE UINT32_MAX /* no id, no rank */

/* Fill *error and return its code. */
static inline int bpe_fail(ck_error *error, ck_code code, int64_t offset, int64_t record,
                           int64_t field, size_t expected, size_t actual) {
  *error = (ck_error){code, offset, record, field, (int64_t)expected, (int64_t)actual};
  return code;
}

/* ---- the model ---- */

/* The first pattern that is an automaton, and the entries of a state: classes, the text's end. */
enum { BPE_AUTOMATON = 5, BPE_COLUMNS = 32 };

/* Pointers into the model's blob, which must not change, and values derived from it. */
typedef struct {
  uint32_t pattern, max_digits, n_ids, n_special;
  uint32_t short_bits, long_bits, pair_bits; /* log2 of the table sizes */
  uint32_t n_merged, n_states;
  const uint16_t *unicode_index; /* [8704] */
  const uint8_t *unicode_blocks; /* [n_blocks][128] classes 0..6 */
  const uint32_t *byte_ids;      /* [256] */
  const uint8_t *short_keys;     /* [1 << short_bits][16] */
  const uint32_t *short_ids;     /* [1 << short_bits] */
  const uint32_t *long_ids;      /* [1 << long_bits], id + 1, 0 = empty */
  const uint64_t *pairs;         /* [1 << pair_bits]: left, right and rank */
  const uint8_t *defined;        /* [n_ids]: 0 nothing, 1 token, 2 special token */
  const uint32_t *token_offsets; /* [n_ids + 1] into token_bytes */
  const uint8_t *token_bytes;
  const uint32_t *special_ids;      /* [n_special], in the order of their bytes */
  const uint32_t *byte_pairs;       /* [256][256] ranks */
  const uint8_t *pair_filter;       /* [1 << pair_bits >> 1] a set of hashes of pairs */
  const uint32_t *merged;           /* [n_merged] the id of each rank; empty: they are the same */
  const uint32_t *special_prefixes; /* [n_special] the longest other token that each begins with */
  const uint16_t *automaton;        /* [n_states][BPE_COLUMNS] state << 1 | 1 if a pretoken ends */
  int plain;                        /* 1: ASCII characters have their usual classes */
  /* The places where a special token can begin. `common`: the bytes, at most two, with which all of
   * them begin. `special_filter`: a set of hashes of their first `special_prefix` bytes. That is
   * the size of the shortest token, but at most 8. */
  uint8_t n_common, common[2], special_prefix;
  uint64_t special_filter[64];
  ck_interrupt *interrupt; /* NULL, or the interrupt of the call for which this is a copy */
} bpe_model;

/* ---- keys and look-ups ---- */

enum { BPE_SHORT = 15 }; /* bytes of the longest token of the short table */

/* A pretoken of up to BPE_SHORT bytes as the tables store it: its bytes, zeros, and its size as
 * byte 16. The key of a longer pretoken is a hash and its size (bpe_long_key), and equals no short
 * key. */
typedef struct {
  uint64_t lo, hi;
} bpe_key;

typedef struct {
  const uint8_t *bytes;
  size_t size;
} bpe_token;

BPE_HIDDEN uint64_t bpe_hash(uint64_t hash, const uint8_t *bytes, size_t size);
BPE_HIDDEN uint32_t bpe_long_id(const bpe_model *model, uint64_t hash, const uint8_t *bytes,
                                size_t size);

/* Return the bytes of an id, which are none if there is no such token. */
static inline bpe_token bpe_token_bytes(const bpe_model *model, uint32_t id) {
  if (id >= model->n_ids || !model->defined[id])
    return (bpe_token){model->token_bytes, 0};
  uint32_t start = model->token_offsets[id], end = model->token_offsets[id + 1];
  if (start > end || end > model->token_offsets[model->n_ids])
    return (bpe_token){model->token_bytes, 0};
  return (bpe_token){model->token_bytes + start, end - start};
}

static inline uint64_t bpe_load64(const uint8_t *bytes) {
  uint64_t word;
  memcpy(&word, bytes, 8);
  return word;
}

static inline uint64_t bpe_key_hash(bpe_key key) { return key.lo * BPE_K1 + key.hi * BPE_K2; }

static inline uint32_t bpe_short_id(const bpe_model *model, bpe_key key) {
  size_t slots = (size_t)1 << model->short_bits;
  size_t slot = bpe_key_hash(key) >> (64 - model->short_bits);
  for (size_t step = 0; step < slots; step++, slot = (slot + 1) & (slots - 1)) {
    const uint8_t *entry = model->short_keys + 16 * slot;
    if (bpe_load64(entry) == key.lo && bpe_load64(entry + 8) == key.hi)
      return model->short_ids[slot];
    if (entry[15] == 0)
      break;
  }
  return BPE_NONE;
}

/* Return the key of bytes[0 .. size], 0 < size <= BPE_SHORT; 16 bytes must be readable. */
static inline bpe_key bpe_short_key(const uint8_t *bytes, size_t size) {
  static const uint64_t masks[16][2] = {{0, 0},
                                        {0xFF, 0},
                                        {0xFFFF, 0},
                                        {0xFFFFFF, 0},
                                        {0xFFFFFFFF, 0},
                                        {0xFFFFFFFFFF, 0},
                                        {0xFFFFFFFFFFFF, 0},
                                        {0xFFFFFFFFFFFFFF, 0},
                                        {~0ull, 0},
                                        {~0ull, 0xFF},
                                        {~0ull, 0xFFFF},
                                        {~0ull, 0xFFFFFF},
                                        {~0ull, ~0u},
                                        {~0ull, 0xFFFFFFFFFF},
                                        {~0ull, 0xFFFFFFFFFFFF},
                                        {~0ull, 0xFFFFFFFFFFFFFF}};
  return (bpe_key){bpe_load64(bytes) & masks[size][0],
                   (bpe_load64(bytes + 8) & masks[size][1]) | (uint64_t)size << 56};
}

static inline bpe_key bpe_long_key(const uint8_t *bytes, size_t size) {
  return (bpe_key){bpe_hash(size, bytes, size), size | (uint64_t)(BPE_SHORT + 1) << 56};
}
