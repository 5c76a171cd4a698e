/* text.h: the searches in a text before it is encoded: bad UTF-8, special tokens, pretokens. */
#pragma once

#include "model.h"

/* ---- utf8.c ---- */

enum { BPE_SLICE = 1 << 20 }; /* bytes that are checked in less than a millisecond */

/* Return the offset of the first byte of the first bad sequence, or `size`. */
BPE_HIDDEN size_t bpe_utf8(const uint8_t *text, size_t size);
/* The same slice by slice. The call may end between two slices. */
BPE_HIDDEN size_t bpe_valid_slices(const bpe_model *model, const uint8_t *text, size_t size);

/* The same for a text of any length. */
static inline size_t bpe_valid(const bpe_model *model, const uint8_t *text, size_t size) {
  return size <= BPE_SLICE ? bpe_utf8(text, size) : bpe_valid_slices(model, text, size);
}

/* ---- special.c ---- */

enum { BPE_LONGEST_SPECIAL = 1024 }; /* bytes */

/* Check the order of the special tokens and store their common prefix. Return 0 if the tables are
 * wrong. */
BPE_HIDDEN int bpe_specials_prepare(bpe_model *model);

/* A search for the special tokens whose entry in `specials` is `wanted`. */
typedef struct {
  const bpe_model *model;
  const uint8_t *specials;
  uint8_t wanted;
  int any; /* 0: there are none */
} bpe_finder;

static inline bpe_finder bpe_finder_make(const bpe_model *model, const uint8_t *specials,
                                         uint8_t wanted) {
  int any = specials && model->special_prefix > 0 && memchr(specials, wanted, model->n_special);
  return (bpe_finder){model, specials, wanted, any};
}

BPE_HIDDEN size_t bpe_find_any(const bpe_finder *finder, const uint8_t *text, size_t at,
                               size_t size, uint32_t *number, size_t *token_size);

/* Find the leftmost special token from `at` on, the longest one at that place. Return its offset,
 * or `size` if there is none. */
static inline size_t bpe_find(const bpe_finder *finder, const uint8_t *text, size_t at, size_t size,
                              uint32_t *number, size_t *token_size) {
  return finder->any ? bpe_find_any(finder, text, at, size, number, token_size) : size;
}

/* ---- scan.c ---- */

/* The usual capacity for bpe_pretokens, which fills all but at most 64 of it. */
enum { BPE_BLOCK = 256 };
/* Write the ends of the next pretokens of text[at .. end], at most `capacity` >= 64. Return their
 * number, at least one if at < end. */
BPE_HIDDEN size_t bpe_pretokens(const bpe_model *model, const uint8_t *text, size_t at, size_t end,
                                size_t *ends, size_t capacity);
