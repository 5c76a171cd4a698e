/* encode.h: from pretokens to ids. */
#pragma once

#include "cache.h"
#include "text.h"

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
  const bpe_model *model;
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
