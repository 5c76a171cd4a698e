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

/* A piece of up to BPE_SHORT bytes as the tables keep it: its bytes, zeros, its size as byte 16.
 * That of a longer piece equals no other. */
typedef struct {
  uint64_t lo, hi, hash;
} bpe_key;

typedef struct {
  const uint8_t *bytes;
  size_t size;
} bpe_token;

BPE_HIDDEN uint64_t bpe_long_hash(const uint8_t *bytes, size_t size);
BPE_HIDDEN uint32_t bpe_long_id(const ck_bpe *model, uint64_t hash, const uint8_t *bytes,
                                size_t size);
BPE_HIDDEN bpe_token bpe_token_bytes(const ck_bpe *model, uint32_t id); /* size 0: no such token */

static inline uint64_t bpe_load64(const uint8_t *bytes) {
  uint64_t word;
  memcpy(&word, bytes, 8);
  return word;
}

static inline uint32_t bpe_short_probe(const ck_bpe *model, bpe_key key) {
  size_t slots = (size_t)1 << model->short_bits, slot = key.hash >> (64 - model->short_bits);
  for (size_t step = 0; step < slots; step++, slot = (slot + 1) & (slots - 1)) {
    const uint8_t *entry = model->short_keys + 16 * slot;
    if (bpe_load64(entry) == key.lo && bpe_load64(entry + 8) == key.hi)
      return model->short_ids[slot];
    if (entry[15] == 0)
      break;
  }
  return BPE_NONE;
}

/* bytes[0 .. size], size <= BPE_SHORT, when nothing behind them may be read. */
BPE_HIDDEN bpe_key bpe_key_at_end(const uint8_t *bytes, size_t size);

static inline bpe_key bpe_key_from(uint64_t lo, uint64_t hi) {
  return (bpe_key){lo, hi, lo * BPE_K1 + hi * BPE_K2};
}

/* The key of bytes[0 .. size]; `readable` bytes may be read there, size <= readable. */
static inline bpe_key bpe_key_of(const uint8_t *bytes, size_t size, size_t readable) {
  static const uint64_t ones[9] = {
      0, 0xFF, 0xFFFF, 0xFFFFFF, 0xFFFFFFFF, 0xFFFFFFFFFF, 0xFFFFFFFFFFFF, 0xFFFFFFFFFFFFFF, ~0ull};
  size = size <= BPE_SHORT ? size : BPE_SHORT + 1;
  if (__builtin_expect(readable < 16, 0))
    return bpe_key_at_end(bytes, size);
  uint64_t lo = bpe_load64(bytes) & ones[size < 8 ? size : 8];
  uint64_t hi = bpe_load64(bytes + 8) & ones[size < 8 ? 0 : size - 8] & ones[7];
  return bpe_key_from(lo, hi | (uint64_t)size << 56);
}

/* ---- bpe_utf8.c ---- */

/* The offset of the first byte of the first bad sequence, or `size`. */
BPE_HIDDEN size_t bpe_utf8(const uint8_t *text, size_t size);

/* ---- bpe_scan.c ---- */

/* What to ask bpe_pieces for at a time: it fills at least 64 of them less. */
enum { BPE_BLOCK = 256 };
/* The ends of the next pieces of text[at .. end], at most `capacity` >= 64; how many, at least one
 * where at < end. */
BPE_HIDDEN size_t bpe_pieces(const ck_bpe *model, const uint8_t *text, size_t at, size_t end,
                             size_t *ends, size_t capacity);

/* ---- bpe_merge.c ---- */

enum { BPE_SMALL = 64 }; /* a piece of at most so many bytes is merged in an array */

/* Merges bytes[0 .. size], 0 < size <= BPE_SMALL, into ids; how many. */
BPE_HIDDEN size_t bpe_merge_small(const ck_bpe *model, const uint8_t *bytes, size_t size,
                                  uint32_t ids[]);

typedef struct {
  uint32_t id, size; /* and the bytes it covers */
} bpe_symbol;

/* Merges bytes[0 .. size], 0 < size < 2^32, into symbols[0 .. size]; how many. memory: of
 * bpe_tournament_size(size) bytes, 8-byte aligned. */
BPE_HIDDEN size_t bpe_tournament(const ck_bpe *model, const uint8_t *bytes, size_t size,
                                 bpe_symbol *symbols, void *memory);
BPE_HIDDEN size_t bpe_tournament_size(size_t size);

/* ---- bpe_chunks.c ---- */

/* Merges a piece of any size. Writes the first `capacity` ids. 0: out of memory. */
BPE_HIDDEN size_t bpe_merge_long(const ck_bpe *model, const uint8_t *bytes, size_t size,
                                 uint32_t *ids, size_t capacity);

/* ---- bpe_special.c ---- */

/* Finds those special tokens whose entry in `specials` is `wanted`. */
typedef struct {
  const ck_bpe *model;
  const uint8_t *specials;
  uint8_t wanted;
  uint8_t prefix;   /* bytes of each that `filter` knows, 0: there are none */
  uint8_t n_common; /* first bytes that all of them share, at most 2 */
  uint8_t common[2];
  uint64_t filter[64]; /* a set of hashes of these bytes */
} bpe_finder;

BPE_HIDDEN bpe_finder bpe_finder_make(const ck_bpe *model, const uint8_t *specials, uint8_t wanted);
/* The leftmost occurrence from `at` on, of the longest token there: its offset, its number and its
 * size. Offset `size` when there is none. */
BPE_HIDDEN size_t bpe_find(const bpe_finder *finder, const uint8_t *text, size_t at, size_t size,
                           uint32_t *number, size_t *token_size);

/* ---- bpe_encode.c ---- */

enum { BPE_RECENT_BITS = 17, BPE_RECENT_IDS = 3 };
enum { BPE_FAR_BITS = 14, BPE_FAR_BYTES = 64, BPE_FAR_IDS = 46 };

/* The ids of a short piece met not long ago. Two are a line of the processor's cache, and a piece
 * can be in either. */
typedef struct {
  uint64_t lo, hi; /* the piece's key; hi is 0 in an empty entry */
  uint32_t ids[BPE_RECENT_IDS], n;
} bpe_recent;

/* The same for a longer piece. */
typedef struct {
  uint16_t size, n;
  uint8_t piece[BPE_FAR_BYTES];
  uint32_t ids[BPE_FAR_IDS];
} bpe_far;

/* What one thread remembers of one model's pieces: of fixed size, a newer piece in an older one's
 * place. All zero at first. */
typedef struct {
  bpe_recent recent[1 << BPE_RECENT_BITS];
  uint32_t more[1 << BPE_RECENT_BITS][BPE_SHORT - BPE_RECENT_IDS]; /* ids of recent[i] */
  bpe_far far[1 << BPE_FAR_BITS];
  void *memory; /* which this lies in */
} bpe_scratch;

/* One thread's encoding: where ids go, as many as fit, while `n` counts them all. */
typedef struct {
  const ck_bpe *model;
  const bpe_finder *refused, *allowed;
  uint32_t *ids;
  size_t capacity, n;
  bpe_scratch *scratch; /* or NULL */
} bpe_encoder;

/* One text with its special tokens, `record` being its number. */
BPE_HIDDEN int bpe_encode_text(bpe_encoder *encoder, const uint8_t *text, size_t size,
                               int64_t record, ck_error *error);

/* ---- bpe_pool.c ---- */

BPE_HIDDEN bpe_scratch *bpe_pool_take(ck_bpe_pool *pool); /* NULL: do without */
BPE_HIDDEN void bpe_pool_give(ck_bpe_pool *pool, bpe_scratch *scratch);

/* Fills *error and returns its code. */
static inline int bpe_fail(ck_error *error, ck_code code, int64_t offset, int64_t record,
                           int64_t field, size_t expected, size_t actual) {
  *error = (ck_error){code, offset, record, field, (int64_t)expected, (int64_t)actual};
  return code;
}

#endif
