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

/* Fill *error and return its code. */
static inline int bpe_fail(ck_error *error, ck_code code, int64_t offset, int64_t record,
                           int64_t field, size_t expected, size_t actual) {
  *error = (ck_error){code, offset, record, field, (int64_t)expected, (int64_t)actual};
  return code;
}

/* ---- model.c: the tables ---- */

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

BPE_HIDDEN uint64_t bpe_long_hash(const uint8_t *bytes, size_t size);
BPE_HIDDEN uint32_t bpe_long_id(const ck_bpe *model, uint64_t hash, const uint8_t *bytes,
                                size_t size);

/* Return the bytes of an id, which are none if there is no such token. */
static inline bpe_token bpe_token_bytes(const ck_bpe *model, uint32_t id) {
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

static inline uint32_t bpe_short_id(const ck_bpe *model, bpe_key key) {
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
  return (bpe_key){bpe_long_hash(bytes, size), size | (uint64_t)(BPE_SHORT + 1) << 56};
}

/* ---- interrupt.c ---- */

BPE_HIDDEN void bpe_set_thread(ck_interrupt *interrupt);
BPE_HIDDEN int bpe_interrupted(ck_interrupt *interrupt);

/* Record that this thread, for which a caller waits, may call `ask`. */
static inline void bpe_asks(const ck_bpe *model) {
  if (__builtin_expect(model->interrupt != NULL, 0))
    bpe_set_thread(model->interrupt);
}

/* Return whether the call is to end: its results are then discarded, and nothing of it is cached.
 * Call this every few microseconds. Once it is true, it stays so. */
static inline int bpe_stopped(const ck_bpe *model) {
  return __builtin_expect(model->interrupt != NULL, 0) && bpe_interrupted(model->interrupt);
}

/* Return CK_INTERRUPTED if the call was ended early, else `code`. */
static inline int bpe_ended(const ck_bpe *model, int code, ck_error *error) {
  if (__builtin_expect(model->interrupt != NULL, 0) &&
      __atomic_load_n(&model->interrupt->ended, __ATOMIC_RELAXED))
    return bpe_fail(error, CK_INTERRUPTED, 0, 0, -1, 0, 0);
  return code;
}

/* ---- utf8.c ---- */

enum { BPE_SLICE = 1 << 20 }; /* bytes that are checked in less than a millisecond */

/* Return the offset of the first byte of the first bad sequence, or `size`. */
BPE_HIDDEN size_t bpe_utf8(const uint8_t *text, size_t size);
/* The same slice by slice. Between two of them the call may be ended. */
BPE_HIDDEN size_t bpe_valid_slices(const ck_bpe *model, const uint8_t *text, size_t size);

/* The same for a text of any length. */
static inline size_t bpe_valid(const ck_bpe *model, const uint8_t *text, size_t size) {
  return size <= BPE_SLICE ? bpe_utf8(text, size) : bpe_valid_slices(model, text, size);
}

/* ---- scan.c ---- */

/* The usual capacity for bpe_pretokens, which fills all but at most 64 of it. */
enum { BPE_BLOCK = 256 };
/* Write the ends of the next pretokens of text[at .. end], at most `capacity` >= 64. Return their
 * number, at least one if at < end. */
BPE_HIDDEN size_t bpe_pretokens(const ck_bpe *model, const uint8_t *text, size_t at, size_t end,
                                size_t *ends, size_t capacity);

/* ---- merge.c ---- */

enum { BPE_SMALL = 32 }; /* the largest pretoken that is merged in an array */

/* Merge bytes[0 .. size], 0 < size <= BPE_SMALL, into ids, and return their number. The array needs
 * room for eight more. */
BPE_HIDDEN size_t bpe_merge_small(const ck_bpe *model, const uint8_t *bytes, size_t size,
                                  uint32_t ids[]);

/* ---- chunks.c ---- */

/* Merge a pretoken of any size, and write the first `capacity` ids. Return the number of all, or 0
 * if memory ran out or the call is to end. */
BPE_HIDDEN size_t bpe_merge_long(const ck_bpe *model, const uint8_t *bytes, size_t size,
                                 uint32_t *ids, size_t capacity);

/* ---- special.c ---- */

enum { BPE_LONGEST_SPECIAL = 1024 }; /* bytes */

/* Check the order of the special tokens and store their common prefix. Return 0 if the tables are
 * wrong. */
BPE_HIDDEN int bpe_specials_prepare(ck_bpe *model);

/* Finds the special tokens whose entry in `specials` is `wanted`. */
typedef struct {
  const ck_bpe *model;
  const uint8_t *specials;
  uint8_t wanted;
  int any; /* 0: there are none */
} bpe_finder;

static inline bpe_finder bpe_finder_make(const ck_bpe *model, const uint8_t *specials,
                                         uint8_t wanted) {
  int any = specials && model->special_prefix > 0 && memchr(specials, wanted, model->n_special);
  return (bpe_finder){model, specials, wanted, any};
}

BPE_HIDDEN size_t bpe_find_any(const bpe_finder *finder, const uint8_t *text, size_t at,
                               size_t size, uint32_t *number, size_t *token_size);

/* Find the leftmost special token from `at` on, the longest of those there. Return its offset, or
 * `size` if there is none. */
static inline size_t bpe_find(const bpe_finder *finder, const uint8_t *text, size_t at, size_t size,
                              uint32_t *number, size_t *token_size) {
  return finder->any ? bpe_find_any(finder, text, at, size, number, token_size) : size;
}

/* ---- cache.c ---- */

enum { BPE_FIRST_BITS = 9, BPE_LAST_BITS = 16, BPE_FEW_IDS = 3 };
enum { BPE_OVERFLOW = 3 << 19, BPE_CACHED_BYTES = 1 << 11, BPE_WAITING = 3 << 16 };

/* The ids of a pretoken. */
typedef struct {
  uint32_t ids[BPE_FEW_IDS]; /* or, if there are more, their place in `overflow` */
  uint32_t n;                /* with BPE_LONG added for a pretoken longer than BPE_SHORT */
} bpe_cached;

enum { BPE_LONG = 1 << 30 };

/* Two pretokens, which fill a line of the processor's cache. An empty entry has a key of zeros. */
typedef struct {
  bpe_key keys[2];
  bpe_cached of[2];
} bpe_line;

/* One thread's cache of one model's pretokens: a table of bounded size, in which newer pretokens
 * replace older ones. A pretoken is stored in its own line or in the line next to it. What does not
 * fit into a line (many ids, the bytes of a long pretoken) is in `overflow`, where the newest
 * overwrites the oldest. */
typedef struct {
  bpe_line lines[2 << BPE_LAST_BITS];
  uint32_t overflow[BPE_OVERFLOW + BPE_SHORT]; /* BPE_SHORT words can be copied from any place */
  uint64_t n_overflow;                         /* words ever written */
  size_t n_cached, n_grown;
  uint32_t waiting[BPE_WAITING]; /* ids of a batch whose place is not yet known */
  void *memory;                  /* the allocation that contains this struct */
} bpe_scratch;

static inline size_t bpe_cache_bits(const bpe_scratch *scratch) {
  return BPE_FIRST_BITS + scratch->n_grown;
}

/* Return the number of a key's line, among 2 << bits lines. */
static inline size_t bpe_line_of(bpe_key key, size_t bits) {
  return bpe_key_hash(key) >> (63 - bits);
}

static inline int bpe_same(bpe_key a, bpe_key b) { return ((a.lo ^ b.lo) | (a.hi ^ b.hi)) == 0; }

/* Return what `cached` has in `overflow`, or NULL if it was overwritten. */
static inline const uint32_t *bpe_overflow(const bpe_scratch *scratch, const bpe_cached *cached) {
  uint64_t place = cached->ids[0] | (uint64_t)cached->ids[1] << 32;
  return scratch->n_overflow - place <= BPE_OVERFLOW ? scratch->overflow + place % BPE_OVERFLOW
                                                     : NULL;
}

/* Copy the ids of the pretoken bytes[0 .. size] from `overflow` and return their number, or 0 if
 * they were overwritten or belong to another pretoken. */
BPE_HIDDEN size_t bpe_overflow_ids(const bpe_scratch *scratch, const bpe_cached *cached,
                                   const uint8_t *bytes, size_t size, uint32_t *ids);

/* Copy the ids of the pretoken bytes[0 .. size] and return their number, or 0 if it is not
 * cached. */
BPE_HIDDEN size_t bpe_cache_get(const bpe_scratch *scratch, bpe_key key, const uint8_t *bytes,
                                size_t size, uint32_t *ids);

/* Return whether a pretoken with this key is cached. */
static inline int bpe_cache_has(const bpe_scratch *s, bpe_key key) {
  size_t line = bpe_line_of(key, bpe_cache_bits(s));
  const bpe_key *own = s->lines[line].keys, *beside = s->lines[line ^ 1].keys;
  return bpe_same(own[0], key) || bpe_same(own[1], key) || bpe_same(beside[0], key) ||
         bpe_same(beside[1], key);
}

/* The bytes must be those of the key, and no other thread may change them. */
BPE_HIDDEN void bpe_cache_put(bpe_scratch *scratch, bpe_key key, const uint8_t *bytes, size_t size,
                              const uint32_t *ids, size_t n);

/* Start with a small table, so that little memory is touched. */
BPE_HIDDEN void bpe_cache_clear(bpe_scratch *scratch);

/* Double a table that is full, unless it has its largest size. Entries move. */
BPE_HIDDEN void bpe_cache_grow(bpe_scratch *scratch);

/* ---- block.c ---- */

/* Consecutive pretokens: number i is text[bounds[i] .. bounds[i + 1]]. There is room for seven
 * more. */
enum { BPE_ROOM = BPE_BLOCK + 8 };
typedef struct {
  size_t n, bounds[BPE_ROOM + 1];
  bpe_key keys[BPE_ROOM] __attribute__((aligned(64)));
  uint32_t lines[BPE_ROOM]; /* byte offsets from the first line */
} bpe_block;

/* Fill in the keys and, unless `scratch` is NULL, the lines, and prefetch these. `size` bytes of
 * text are readable. */
BPE_HIDDEN void bpe_look_ahead(const bpe_scratch *scratch, bpe_block *block, const uint8_t *text,
                               size_t size);

/* Copy the ids of the pretokens from `first` on to *ids and advance it, as long as they are cached
 * and at most BPE_SHORT each. Return the first pretoken for which this fails, or `end`. `scratch`
 * may be NULL. Up to BPE_SHORT words after the ids are overwritten. */
BPE_HIDDEN size_t bpe_take(const bpe_scratch *scratch, const bpe_block *block, const uint8_t *text,
                           size_t first, size_t end, uint32_t **ids);

/* ---- encode.c ---- */

/* One thread's encoding: it writes the ids that fit, and `n` counts all of them. */
typedef struct {
  const ck_bpe *model;
  const bpe_finder *refused, *allowed;
  uint32_t *ids;
  size_t capacity, n;
  bpe_scratch *scratch; /* or NULL */
} bpe_encoder;

/* Encode one text with its special tokens; `record` is its number. */
BPE_HIDDEN int bpe_encode_text(bpe_encoder *encoder, const uint8_t *text, size_t size,
                               int64_t record, ck_error *error);

/* Write the ids of the pretokens [i, end) of a block whose keys are filled in. */
BPE_HIDDEN int bpe_put_pretokens(bpe_encoder *encoder, const uint8_t *text, const bpe_block *block,
                                 size_t i, size_t end, ck_error *error);

/* ---- learn.c ---- */

/* Merge and cache pretokens of a block, from `i` on, that have more than BPE_SMALL bytes. Return
 * the first that was not visited. The encoder must have a scratch. */
BPE_HIDDEN size_t bpe_learn(bpe_encoder *encoder, const uint8_t *text, const bpe_block *block,
                            size_t i);

/* ---- few.c ---- */

/* Encode the first of n texts together, if they are short enough for that, and write where the ids
 * of each end. Return the number of texts, or 0 if the first needs bpe_encode_text. */
enum { BPE_FEW_TEXTS = 64 };
BPE_HIDDEN size_t bpe_encode_few(bpe_encoder *encoder, const uint8_t *const *texts,
                                 const size_t *sizes, size_t n, int64_t *ends);

/* ---- pool.c ---- */

BPE_HIDDEN bpe_scratch *bpe_pool_take(ck_bpe_pool *pool); /* may be NULL */
BPE_HIDDEN void bpe_pool_put(ck_bpe_pool *pool, bpe_scratch *scratch);

#endif
