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

static bpe_token special(const ck_bpe *model, uint32_t number) {
  return bpe_token_bytes(model, model->special_ids[number]);
}

void bpe_specials_prepare(ck_bpe *model) {
  for (uint32_t i = 0; i < model->n_special; i++) {
    bpe_token token = special(model, i);
    if (token.size == 0)
      continue;
    uint8_t most = token.size < 8 ? (uint8_t)token.size : 8;
    if (model->special_prefix == 0) {
      model->special_prefix = most;
      model->n_common = most < 2 ? most : 2;
      memcpy(model->common, token.bytes, model->n_common);
    }
    model->special_prefix = most < model->special_prefix ? most : model->special_prefix;
    model->n_common = most < model->n_common ? most : model->n_common;
    while (model->n_common > 0 && memcmp(model->common, token.bytes, model->n_common) != 0)
      model->n_common--;
  }
  for (uint32_t i = 0; i < model->n_special; i++) {
    bpe_token token = special(model, i);
    if (token.size == 0)
      continue;
    unsigned hash = prefix_hash(token.bytes, model->special_prefix);
    model->special_filter[hash / 64] |= (uint64_t)1 << hash % 64;
  }
}

/* The number of the longest token that text[0 .. left] starts with, or n_special. */
static uint32_t token_at(const bpe_finder *finder, const uint8_t *text, size_t left) {
  uint32_t number = 0;
  for (; number < finder->model->n_special; number++) {
    bpe_token token = special(finder->model, number);
    if (finder->specials[number] == finder->wanted && token.size > 0 && token.size <= left &&
        memcmp(token.bytes, text, token.size) == 0)
      break;
  }
  return number;
}

/* Where text[at .. end] has the two bytes `head` in a row, the first of them before `end`; else
 * `end`. text[end] may be read. */
static size_t find_two(const uint8_t *text, size_t at, size_t end, const uint8_t head[2]) {
  typedef uint8_t bytes __attribute__((vector_size(16)));
  const bytes zero = {0}, first = zero + head[0], second = zero + head[1];
  for (; end - at >= 64; at += 64) {
    bytes any = zero;
    for (size_t i = 0; i < 64; i += 16) {
      bytes here, behind;
      memcpy(&here, text + at + i, 16);
      memcpy(&behind, text + at + i + 1, 16);
      any |= (bytes)(here == first) & (bytes)(behind == second);
    }
    uint64_t halves[2];
    memcpy(halves, &any, 16);
    if (halves[0] | halves[1])
      break;
  }
  for (; end - at >= 16; at += 16) {
    bytes here, behind;
    memcpy(&here, text + at, 16);
    memcpy(&behind, text + at + 1, 16);
    bytes both = (bytes)(here == first) & (bytes)(behind == second);
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
  const ck_bpe *model = finder->model;
  size_t prefix = model->special_prefix;
  for (; size - at >= prefix; at++) {
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
    if (*number == model->n_special)
      continue;
    *token_size = special(model, *number).size;
    return at;
  }
  return size;
}
