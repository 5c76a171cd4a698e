/* bpe_special.c: finding special tokens in a text.
 *
 * A model can have a thousand of them, and a text a million places that look like the start of one,
 * so a place is compared with tokens only after a set of hashes of their first bytes has let it
 * pass.
 */
#include "bpe.h"

static unsigned prefix_hash(const uint8_t *bytes, size_t prefix) {
  uint64_t word = 0;
  memcpy(&word, bytes, prefix);
  return (unsigned)(word * BPE_K1 >> 52); /* 12 bits: a place in filter[64] */
}

static bpe_token special(const bpe_finder *finder, uint32_t number) {
  if (finder->specials[number] != finder->wanted)
    return (bpe_token){NULL, 0};
  return bpe_token_bytes(finder->model, finder->model->special_ids[number]);
}

bpe_finder bpe_finder_make(const ck_bpe *model, const uint8_t *specials, uint8_t wanted) {
  bpe_finder finder = {.model = model, .specials = specials, .wanted = wanted, .single = 1};
  if (specials == NULL)
    return finder;
  /* The longest come first, so the last one that counts is the shortest. */
  for (uint32_t i = 0; i < model->n_special; i++) {
    bpe_token token = special(&finder, i);
    if (token.size == 0)
      continue;
    if (finder.prefix == 0)
      finder.first_byte = token.bytes[0];
    finder.single &= finder.first_byte == token.bytes[0];
    if (finder.prefix == 0 || token.size < finder.prefix)
      finder.prefix = token.size < 8 ? (uint8_t)token.size : 8;
  }
  for (uint32_t i = 0; i < model->n_special; i++) {
    bpe_token token = special(&finder, i);
    if (token.size == 0)
      continue;
    unsigned hash = prefix_hash(token.bytes, finder.prefix);
    finder.filter[hash / 64] |= (uint64_t)1 << hash % 64;
  }
  return finder;
}

/* The number of the longest token that text[0 .. left] starts with, or n_special. */
static uint32_t token_at(const bpe_finder *finder, const uint8_t *text, size_t left) {
  uint32_t number = 0;
  for (; number < finder->model->n_special; number++) {
    bpe_token token = special(finder, number);
    if (token.size > 0 && token.size <= left && memcmp(token.bytes, text, token.size) == 0)
      break;
  }
  return number;
}

size_t bpe_find(const bpe_finder *finder, const uint8_t *text, size_t at, size_t size,
                uint32_t *number, size_t *token_size) {
  if (finder->prefix == 0)
    return size;
  for (; size - at >= finder->prefix; at++) {
    if (finder->single) {
      const uint8_t *place = memchr(text + at, finder->first_byte, size - at - finder->prefix + 1);
      if (place == NULL)
        break;
      at = (size_t)(place - text);
    }
    unsigned hash = prefix_hash(text + at, finder->prefix);
    if (!(finder->filter[hash / 64] >> hash % 64 & 1))
      continue;
    *number = token_at(finder, text + at, size - at);
    if (*number == finder->model->n_special)
      continue;
    *token_size = special(finder, *number).size;
    return at;
  }
  return size;
}
