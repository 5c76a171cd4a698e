/* special.c: find special tokens in a text.
 *
 * A model can have a thousand of them, and a text a million places that look like the start of one.
 * A place is therefore compared with tokens only if a set of hashes of their first bytes contains
 * its own, and then by a binary search.
 */
#include "interrupt.h"
#include "text.h"

static unsigned prefix_hash(const uint8_t *bytes, size_t prefix) {
  uint64_t word = 0;
  memcpy(&word, bytes, prefix);
  return (unsigned)(word * BPE_K1 >> 52); /* 12 bits: an index of a bit in filter[64] */
}

static bpe_token special(const bpe_model *model, uint32_t number) {
  return bpe_token_bytes(model, model->special_ids[number]);
}

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

/* Return the number of bytes that `a` and `b` share; `from` bytes are known to be equal. */
static size_t common_prefix(const uint8_t *a, const uint8_t *b, size_t from, size_t end) {
  for (; end - from >= 8; from += 8) {
    uint64_t difference = bpe_load64(a + from) ^ bpe_load64(b + from);
    if (difference)
      return from + (size_t)__builtin_ctzll(difference) / 8;
  }
  while (from < end && a[from] == b[from])
    from++;
  return from;
}

/* Return true if token `number` has an allowed size, comes after the one before it, and has the
 * entry in special_prefixes that follows from those before it. */
static int in_order(const bpe_model *model, uint32_t number) {
  bpe_token token = special(model, number), before;
  uint32_t prefix = number - 1;
  if (token.size == 0 || token.size > BPE_LONGEST_SPECIAL)
    return 0;
  if (number == 0)
    return model->special_prefixes[0] == BPE_NONE;
  before = special(model, prefix);
  size_t same = common_prefix(token.bytes, before.bytes, 0, least(token.size, before.size));
  if (same == token.size || (same < before.size && token.bytes[same] < before.bytes[same]))
    return 0;
  while (prefix != BPE_NONE && special(model, prefix).size > same)
    prefix = model->special_prefixes[prefix];
  return model->special_prefixes[number] == prefix;
}

int bpe_specials_prepare(bpe_model *model) {
  size_t shortest = 8;
  for (uint32_t i = 0; i < model->n_special; i++) {
    if (!in_order(model, i))
      return 0;
    shortest = least(special(model, i).size, shortest);
  }
  if (model->n_special == 0)
    return 1;
  /* All tokens share the bytes that the first and the last token in order share. */
  bpe_token first = special(model, 0), last = special(model, model->n_special - 1);
  model->special_prefix = (uint8_t)shortest;
  model->n_common = (uint8_t)common_prefix(first.bytes, last.bytes, 0, least(shortest, 2));
  memcpy(model->common, first.bytes, model->n_common);
  for (uint32_t i = 0; i < model->n_special; i++) {
    unsigned hash = prefix_hash(special(model, i).bytes, model->special_prefix);
    model->special_filter[hash / 64] |= (uint64_t)1 << hash % 64;
  }
  return 1;
}

/* Return the number of the longest wanted token that text[0 .. left] starts with, or BPE_NONE.
 *
 * Let the last token that does not sort after the text be t. Every token that the text starts with
 * is t or a prefix of t:  "<|a|>" <= "<|a|>b" <= "<|a|>bx..." < "<|a|>c".  A binary search finds t,
 * and skips the bytes that the text shares with the tokens on both sides.
 */
static uint32_t token_at(const bpe_finder *finder, const uint8_t *text, size_t left) {
  const bpe_model *model = finder->model;
  uint32_t low = 0,
           high = model->n_special;   /* the tokens before `low` do not sort after the text */
  size_t same_low = 0, same_high = 0; /* bytes shared with the tokens low - 1 and high */
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    bpe_token token = special(model, middle);
    size_t same =
        common_prefix(token.bytes, text, least(same_low, same_high), least(token.size, left));
    if (same == token.size || (same < left && token.bytes[same] < text[same])) {
      low = middle + 1;
      same_low = same;
    } else {
      high = middle;
      same_high = same;
    }
  }
  uint32_t number = low > 0 ? low - 1 : BPE_NONE;
  while (number != BPE_NONE &&
         (special(model, number).size > same_low || finder->specials[number] != finder->wanted))
    number = model->special_prefixes[number];
  return number;
}

/* Return where text[at .. end] has the two bytes `head`, the first of them before `end`, else
 * `end`. text[end] must be readable. */
static size_t find_two(const uint8_t *text, size_t at, size_t end, const uint8_t head[2]) {
  typedef uint8_t bytes __attribute__((vector_size(16)));
  const bytes zero = {0}, first = zero + head[0], second = zero + head[1];
  for (; end - at >= 64; at += 64) {
    bytes any = zero;
    for (size_t i = 0; i < 64; i += 16) {
      bytes here, after;
      memcpy(&here, text + at + i, 16);
      memcpy(&after, text + at + i + 1, 16);
      any |= (bytes)(here == first) & (bytes)(after == second);
    }
    uint64_t halves[2];
    memcpy(halves, &any, 16);
    if (halves[0] | halves[1])
      break;
  }
  for (; end - at >= 16; at += 16) {
    bytes here, after;
    memcpy(&here, text + at, 16);
    memcpy(&after, text + at + 1, 16);
    bytes both = (bytes)(here == first) & (bytes)(after == second);
    uint64_t halves[2];
    memcpy(halves, &both, 16);
    if (halves[0] | halves[1])
      break;
  }
  while (at < end && (text[at] != head[0] || text[at + 1] != head[1]))
    at++;
  return at;
}

size_t bpe_find_any(const bpe_finder *finder, const uint8_t *text, size_t at, size_t size,
                    uint32_t *number, size_t *token_size) {
  const bpe_model *model = finder->model;
  size_t prefix = model->special_prefix;
  for (; size - at >= prefix && !bpe_stopped(model); at++) {
    if (model->n_common > 1) {
      at = find_two(text, at, size - prefix + 1, model->common);
    } else if (model->n_common == 1) {
      const uint8_t *place = memchr(text + at, model->common[0], size - at - prefix + 1);
      at = place ? (size_t)(place - text) : size;
    }
    if (size - at < prefix)
      break;
    unsigned hash = prefix_hash(text + at, prefix);
    if (!(model->special_filter[hash / 64] >> hash % 64 & 1))
      continue;
    *number = token_at(finder, text + at, size - at);
    if (*number == BPE_NONE)
      continue;
    *token_size = special(model, *number).size;
    return at;
  }
  return size;
}
