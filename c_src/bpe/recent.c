/* recent.c: the pieces that one thread met not long ago, and their ids. */
#include "bpe.h"

/* ---- what does not fit into an entry ---- */

static size_t words_of(size_t bytes) { return (bytes + 3) / 4; }

/* Room for `words` of them in a row, at the place that is returned, in the oldest one's place. */
static uint64_t keep(bpe_scratch *s, size_t words) {
  size_t behind = BPE_KEPT - s->n_kept % BPE_KEPT;
  uint64_t place = s->n_kept + (words > behind ? behind : 0);
  s->n_kept = place + words;
  return place;
}

size_t bpe_kept_ids(const bpe_scratch *s, const bpe_recent *recent, const uint8_t *bytes,
                    size_t size, uint32_t *ids) {
  size_t n = recent->n & ~(uint32_t)BPE_LONG;
  const uint32_t *kept = bpe_kept(s, recent);
  if (kept == NULL)
    return 0;
  if (recent->n & BPE_LONG) {
    if (memcmp(kept, bytes, size) != 0)
      return 0;
    kept += words_of(size);
  }
  memcpy(ids, kept, n * sizeof *ids);
  return n;
}

/* ---- the table ---- */

size_t bpe_recall(const bpe_scratch *s, bpe_key key, const uint8_t *bytes, size_t size,
                  uint32_t *ids) {
  size_t line = bpe_line_of(key, bpe_recent_bits(s));
  for (size_t i = 0; i < 4; i++) {
    const bpe_recent *recent = &s->lines[line ^ i / 2].of[i % 2];
    if (!bpe_same(s->lines[line ^ i / 2].keys[i % 2], key))
      continue;
    if (recent->n > BPE_FEW_IDS)
      return bpe_kept_ids(s, recent, bytes, size, ids);
    memcpy(ids, recent->ids, recent->n * sizeof *ids);
    return recent->n;
  }
  return 0;
}

/* Into its own line if there is room, else the one beside it, else in the place of one of its own
 * line's. */
static void insert(bpe_scratch *s, bpe_key key, bpe_recent recent) {
  size_t line = bpe_line_of(key, bpe_recent_bits(s)), i = 0;
  while (i < 4 && s->lines[line ^ i / 2].keys[i % 2].hi != 0 &&
         !bpe_same(s->lines[line ^ i / 2].keys[i % 2], key))
    i++;
  i = i < 4 ? i : s->n_recent % 2;
  s->lines[line ^ i / 2].keys[i % 2] = key;
  s->lines[line ^ i / 2].of[i % 2] = recent;
  s->n_recent++;
}

void bpe_remember(bpe_scratch *s, bpe_key key, const uint8_t *bytes, size_t size,
                  const uint32_t *ids, size_t n) {
  bpe_recent recent = {.n = (uint32_t)n};
  if (size > BPE_SHORT || n > BPE_FEW_IDS) {
    size_t words = size > BPE_SHORT ? words_of(size) : 0;
    uint64_t place = keep(s, words + n);
    uint32_t *kept = s->kept + place % BPE_KEPT;
    if (size > BPE_SHORT)
      memcpy(kept, bytes, size);
    memcpy(kept + words, ids, n * sizeof *ids);
    recent.ids[0] = (uint32_t)place;
    recent.ids[1] = (uint32_t)(place >> 32);
    recent.n |= size > BPE_SHORT ? BPE_LONG : 0;
  } else {
    memcpy(recent.ids, ids, n * sizeof *ids);
  }
  insert(s, key, recent);
}

void bpe_recent_clear(bpe_scratch *s) {
  s->n_kept = s->n_recent = s->n_grown = 0;
  memset(s->lines, 0, ((size_t)2 << BPE_FIRST_BITS) * sizeof *s->lines);
}

/* From the last two lines to the first: their pieces belong into the four of twice the number. */
void bpe_recent_grow(bpe_scratch *s) {
  size_t bits = bpe_recent_bits(s);
  if (bits == BPE_LAST_BITS || s->n_recent < (size_t)2 << bits)
    return;
  s->n_grown++;
  s->n_recent = 0;
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
