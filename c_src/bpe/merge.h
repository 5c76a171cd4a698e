/* merge.h: pairs of symbols, and the functions that merge them. */
#pragma once

#include "interrupt.h"

/* ---- pairs ---- */

/* Two symbols, and the place where their merge is looked up. */
typedef struct {
  uint64_t key;
  size_t slot, may; /* 0: they cannot merge */
} bpe_pair;

/* Ask the filter whether the two can merge at all, which rules out nine of ten pairs that do not,
 * and prefetch the slot, so that several look-ups wait for memory at the same time. */
static inline bpe_pair bpe_expect(const bpe_model *model, uint32_t left, uint32_t right) {
  uint64_t key = (uint64_t)left << 21 | right, place = key * BPE_K1 >> (62 - model->pair_bits);
  size_t may = model->pair_filter[place / 8] >> place % 8 & 1, slot = -may & place / 4;
  __builtin_prefetch(model->pairs + slot);
  return (bpe_pair){key, slot, may};
}

/* Return the rank of the merge of the two, or BPE_NONE. Merging is unpredictable, so there is a
 * branch only for a pair that is not in its first slot. */
static inline uint32_t bpe_rank_of(const bpe_model *model, bpe_pair pair) {
  size_t slots = (size_t)1 << model->pair_bits;
  uint64_t entry = model->pairs[pair.slot];
  if (__builtin_expect(pair.may & (entry >> 21 != pair.key) & (entry != UINT64_MAX), 0))
    for (size_t step = 1; step < slots && entry >> 21 != pair.key && entry != UINT64_MAX; step++)
      entry = model->pairs[(pair.slot + step) & (slots - 1)];
  return entry >> 21 == pair.key ? entry & ((1 << 21) - 1) : BPE_NONE;
}

static inline uint32_t bpe_rank_of_bytes(const bpe_model *model, const uint8_t *two) {
  uint32_t rank = model->byte_pairs[two[0] << 8 | two[1]];
  return rank >> 21 == 0 ? rank : BPE_NONE;
}

/* Return the id that a merge of this rank gives. */
static inline uint32_t bpe_merged_id(const bpe_model *model, uint32_t rank) {
  return rank < model->n_merged ? model->merged[rank] : rank;
}

/* ---- symbols ---- */

typedef struct {
  uint32_t id, size; /* the number of bytes it covers */
} bpe_symbol;

/* ---- merge.c ---- */

enum { BPE_SMALL = 32 }; /* the largest pretoken that is merged in an array */

/* Merge bytes[0 .. size], 0 < size <= BPE_SMALL, into ids, and return their number. The array needs
 * room for eight more. */
BPE_HIDDEN size_t bpe_merge_small(const bpe_model *model, const uint8_t *bytes, size_t size,
                                  uint32_t ids[]);

/* Merge bytes[0 .. size], 0 < size < 2^32, into symbols[0 .. size] and return their number.
 * `memory` has bpe_tournament_size(size) bytes, 8-byte aligned. */
BPE_HIDDEN size_t bpe_tournament(const bpe_model *model, const uint8_t *bytes, size_t size,
                                 bpe_symbol *symbols, void *memory);
BPE_HIDDEN size_t bpe_tournament_size(size_t size);

/* ---- rows.c ---- */

enum { BPE_ROW = 512, BPE_ROWS = 4 };

/* bytes[0 .. size], 0 < size <= BPE_ROW, and the n symbols they merge into, with room for
 * `size`. */
typedef struct {
  const uint8_t *bytes;
  size_t size, n;
  bpe_symbol *symbols;
} bpe_row;

/* Merge up to BPE_ROWS rows, in less time than one after the other. */
BPE_HIDDEN void bpe_merge_rows(const bpe_model *model, bpe_row *rows, size_t n);

/* ---- chunks.c ---- */

/* Merge a pretoken of any size, and write the first `capacity` ids. Return the number of all, or 0
 * if memory ran out or the call is to end. */
BPE_HIDDEN size_t bpe_merge_long(const bpe_model *model, const uint8_t *bytes, size_t size,
                                 uint32_t *ids, size_t capacity);
