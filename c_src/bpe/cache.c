/* cache.c: one thread's recent pretokens and their ids. */
#include "cache.h"

/* ---- what does not fit into an entry ---- */

static size_t words_of(size_t bytes) { return (bytes + 3) / 4; }

/* Reserve `words` consecutive words over the oldest ones, and return their place. */
static uint64_t reserve(bpe_scratch *s, size_t words) {
  size_t after = BPE_OVERFLOW - s->n_overflow % BPE_OVERFLOW;
  uint64_t place = s->n_overflow + (words > after ? after : 0);
  s->n_overflow = place + words;
  return place;
}

size_t bpe_overflow_ids(const bpe_scratch *s, const bpe_cached *cached, const uint8_t *bytes,
                        size_t size, uint32_t *ids) {
  size_t n = cached->n & ~(uint32_t)BPE_LONG;
  const uint32_t *overflow = bpe_overflow(s, cached);
  if (overflow == NULL)
    return 0;
  if (cached->n & BPE_LONG) {
    if (memcmp(overflow, bytes, size) != 0)
      return 0;
    overflow += words_of(size);
  }
  memcpy(ids, overflow, n * sizeof *ids);
  return n;
}

/* ---- the table ---- */

size_t bpe_cache_get(const bpe_scratch *s, bpe_key key, const uint8_t *bytes, size_t size,
                     uint32_t *ids) {
  size_t line = bpe_line_of(key, bpe_cache_bits(s));
  for (size_t i = 0; i < 4; i++) {
    const bpe_cached *cached = &s->lines[line ^ i / 2].of[i % 2];
    if (!bpe_same(s->lines[line ^ i / 2].keys[i % 2], key))
      continue;
    if (cached->n > BPE_FEW_IDS)
      return bpe_overflow_ids(s, cached, bytes, size, ids);
    memcpy(ids, cached->ids, cached->n * sizeof *ids);
    return cached->n;
  }
  return 0;
}

/* Insert into the key's own line if there is room, else into the line next to it, else over an
 * entry of its own line. */
static void insert(bpe_scratch *s, bpe_key key, bpe_cached cached) {
  size_t line = bpe_line_of(key, bpe_cache_bits(s)), i = 0;
  while (i < 4 && s->lines[line ^ i / 2].keys[i % 2].hi != 0 &&
         !bpe_same(s->lines[line ^ i / 2].keys[i % 2], key))
    i++;
  i = i < 4 ? i : s->n_cached % 2;
  s->lines[line ^ i / 2].keys[i % 2] = key;
  s->lines[line ^ i / 2].of[i % 2] = cached;
  s->n_cached++;
}

void bpe_cache_put(bpe_scratch *s, bpe_key key, const uint8_t *bytes, size_t size,
                   const uint32_t *ids, size_t n) {
  bpe_cached cached = {.n = (uint32_t)n};
  if (size > BPE_SHORT || n > BPE_FEW_IDS) {
    size_t words = size > BPE_SHORT ? words_of(size) : 0;
    uint64_t place = reserve(s, words + n);
    uint32_t *overflow = s->overflow + place % BPE_OVERFLOW;
    if (size > BPE_SHORT)
      memcpy(overflow, bytes, size);
    memcpy(overflow + words, ids, n * sizeof *ids);
    cached.ids[0] = (uint32_t)place;
    cached.ids[1] = (uint32_t)(place >> 32);
    cached.n |= size > BPE_SHORT ? BPE_LONG : 0;
  } else {
    memcpy(cached.ids, ids, n * sizeof *ids);
  }
  insert(s, key, cached);
}

void bpe_cache_clear(bpe_scratch *s) {
  s->n_overflow = s->n_cached = s->n_grown = 0;
  memset(s->lines, 0, ((size_t)2 << BPE_FIRST_BITS) * sizeof *s->lines);
}

/* Go from the last two lines to the first: the pretokens of lines 2i and 2i + 1 move to four
 * lines. */
void bpe_cache_grow(bpe_scratch *s) {
  size_t bits = bpe_cache_bits(s);
  if (bits == BPE_LAST_BITS || s->n_cached < (size_t)2 << bits)
    return;
  s->n_grown++;
  s->n_cached = 0;
  memset(s->lines + ((size_t)2 << bits), 0, ((size_t)2 << bits) * sizeof *s->lines);
  for (size_t line = (size_t)2 << bits; line > 0;) {
    bpe_line two[2];
    line -= 2;
    memcpy(two, s->lines + line, sizeof two);
    for (size_t i = 0; i < 4; i++)
      s->lines[line + i / 2].keys[i % 2] = (bpe_key){0, 0};
    for (size_t i = 0; i < 4; i++)
      if (two[i / 2].keys[i % 2].hi != 0)
        insert(s, two[i / 2].keys[i % 2], two[i / 2].of[i % 2]);
  }
}
