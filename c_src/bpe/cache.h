/* cache.h: the ids of pretokens that were encoded before, and memory that later calls use again. */
#pragma once

#include "model.h"

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
 * replace older ones. A pretoken is stored in its own line or in the line next to it. Data that
 * does not fit into a line (many ids, the bytes of a long pretoken) is in `overflow`, where the
 * newest overwrites the oldest. */
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

/* Return the data of `cached` in `overflow`, or NULL if it was overwritten. */
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

/* Return true if a pretoken with this key is cached. */
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

/* ---- pool.c ---- */

/* The caches of a model that no call is using. It is all zero at first. */
enum { BPE_IDLE = 16 };
typedef struct {
  void *idle[BPE_IDLE];
  int uncached; /* 1: this model never has caches */
} bpe_pool;

/* Return a cache that no other call is using, or NULL: encoding is then slower. */
BPE_HIDDEN bpe_scratch *bpe_pool_take(bpe_pool *pool);
BPE_HIDDEN void bpe_pool_put(bpe_pool *pool, bpe_scratch *scratch); /* which may be NULL */
BPE_HIDDEN void bpe_pool_free(bpe_pool *pool);
