/* merge.h: what merges, and what merges it. */
#ifndef COOKBOOK_BPE_MERGE_H
#define COOKBOOK_BPE_MERGE_H

#include "bpe.h"

/* ---- pairs ---- */

/* Two symbols, and where their merge is looked for. */
typedef struct {
  uint64_t key;
  size_t slot, may; /* 0: there is none */
} bpe_pair;

/* Finds out in the filter whether the two can merge at all, which nine in ten that do not cannot,
 * and has the slot fetched: several look-ups then wait for memory at the same time. */
static inline bpe_pair bpe_expect(const ck_bpe *model, uint32_t left, uint32_t right) {
  uint64_t key = (uint64_t)left << 21 | right, place = key * BPE_K1 >> (62 - model->pair_bits);
  size_t may = model->pair_filter[place / 8] >> place % 8 & 1, slot = -may & place / 4;
  __builtin_prefetch(model->pairs + slot);
  return (bpe_pair){key, slot, may};
}

/* The rank of the merge of the two, or BPE_NONE. Whether they merge nobody can foretell: so there is
 * a branch only for a pair that is not in its first slot. */
static inline uint32_t bpe_rank_of(const ck_bpe *model, bpe_pair pair) {
  size_t slots = (size_t)1 << model->pair_bits;
  uint64_t entry = model->pairs[pair.slot];
  if (__builtin_expect(pair.may & (entry >> 21 != pair.key) & (entry != UINT64_MAX), 0))
    for (size_t step = 1; step < slots && entry >> 21 != pair.key && entry != UINT64_MAX; step++)
      entry = model->pairs[(pair.slot + step) & (slots - 1)];
  return entry >> 21 == pair.key ? entry & ((1 << 21) - 1) : BPE_NONE;
}

static inline uint32_t bpe_rank_of_bytes(const ck_bpe *model, const uint8_t *two) {
  uint32_t rank = model->byte_pairs[two[0] << 8 | two[1]];
  return rank >> 21 == 0 ? rank : BPE_NONE;
}

/* What a merge of this rank gives. */
static inline uint32_t bpe_merged_id(const ck_bpe *model, uint32_t rank) {
  return rank < model->n_merged ? model->merged[rank] : rank;
}

/* ---- symbols ---- */

typedef struct {
  uint32_t id, size; /* and the bytes it covers */
} bpe_symbol;

/* ---- merge.c ---- */

/* Merges bytes[0 .. size], 0 < size < 2^32, into symbols[0 .. size]; how many. memory: of
 * bpe_tournament_size(size) bytes, 8-byte aligned. */
BPE_HIDDEN size_t bpe_tournament(const ck_bpe *model, const uint8_t *bytes, size_t size,
                                 bpe_symbol *symbols, void *memory);
BPE_HIDDEN size_t bpe_tournament_size(size_t size);

/* ---- rows.c ---- */

enum { BPE_ROW = 512, BPE_ROWS = 4 };

/* bytes[0 .. size], 0 < size <= BPE_ROW, and what they merge into: n symbols, room for `size`. */
typedef struct {
  const uint8_t *bytes;
  size_t size, n;
  bpe_symbol *symbols;
} bpe_row;

/* Merges up to BPE_ROWS rows, in less time than one after the other. */
BPE_HIDDEN void bpe_merge_rows(const ck_bpe *model, bpe_row *rows, size_t n);

#endif
