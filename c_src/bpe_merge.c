/* bpe_merge.c: the merging of one piece, always the lowest rank first, the leftmost on a tie.
 *
 * A short piece is an array that is searched for its minimum again and again: quadratic, but
 * nothing is faster for a few bytes. A long piece plays a tournament: O(n log n) whatever the
 * bytes.
 */
#include "bpe.h"

typedef struct {
  uint32_t rank, id; /* both BPE_NONE: no such merge */
} merge;

/* What left and right become together. */
static inline merge merge_of(const ck_bpe *model, uint32_t left, uint32_t right) {
  uint64_t key = (uint64_t)left << 32 | right;
  size_t slots = (size_t)1 << model->pair_bits, slot = key * BPE_K1 >> (64 - model->pair_bits);
  for (size_t step = 0; step < slots; step++, slot = (slot + 1) & (slots - 1)) {
    const uint32_t *entry = model->pairs + 4 * slot;
    if (entry[2] == BPE_NONE)
      break;
    if (entry[0] == left && entry[1] == right)
      return (merge){entry[2], entry[3]};
  }
  return (merge){BPE_NONE, BPE_NONE};
}

/* Merges compare as rank << 32 | place: the lowest rank first, the leftmost on a tie. No branch,
 * which would be mispredicted half of the time. */
static inline uint64_t sooner(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* ---- short pieces ---- */

size_t bpe_merge_small(const ck_bpe *model, const uint8_t *bytes, size_t size,
                       uint32_t ids[BPE_SMALL]) {
  merge merges[BPE_SMALL]; /* merges[i] is that of ids[i] and ids[i + 1] */
  for (size_t i = 0; i < size; i++)
    ids[i] = model->byte_ids[bytes[i]];
  for (size_t i = 0; i + 1 < size; i++)
    merges[i] = merge_of(model, ids[i], ids[i + 1]);
  while (size > 1) {
    uint64_t first = UINT64_MAX;
    for (size_t i = 0; i + 1 < size; i++)
      first = sooner(first, (uint64_t)merges[i].rank << 32 | i);
    if (first >> 32 == BPE_NONE)
      break;
    size_t best = (uint32_t)first;

    ids[best] = merges[best].id;
    size--;
    for (size_t i = best + 1; i < size; i++) {
      ids[i] = ids[i + 1];
      merges[i - 1] = merges[i];
    }
    if (best + 1 < size)
      merges[best] = merge_of(model, ids[best], ids[best + 1]);
    if (best > 0)
      merges[best - 1] = merge_of(model, ids[best - 1], ids[best]);
  }
  return size;
}

/* ---- long pieces ---- */

/* A symbol covers bytes [i, i + size) of the piece and lives in node i. Its last node repeats the
 * size, so that both neighbours of a symbol are found without links: i + size and i - size[i - 1].
 */
typedef struct {
  uint32_t id, size;
  merge merge; /* with the right neighbour */
} node;

/* A tournament: order[blocks + b] is the first merge to come of the nodes of block b, order[i] the
 * lesser of order[2 i] and order[2 i + 1], and so order[1] the first of all. */
typedef struct {
  node *nodes;
  uint64_t *order; /* rank << 32 | i: the order of numbers is the order of merging */
  size_t size, blocks;
} tournament;

enum { BLOCK = 8 };

static size_t blocks_of(size_t size) { return (size + BLOCK - 1) / BLOCK; }

static uint64_t first_of_block(const tournament *t, size_t block) {
  size_t end = (block + 1) * BLOCK < t->size ? (block + 1) * BLOCK : t->size;
  uint64_t first = UINT64_MAX;
  for (size_t i = block * BLOCK; i < end; i++)
    first = sooner(first, (uint64_t)t->nodes[i].merge.rank << 32 | i);
  return first;
}

static void replay(tournament *t, size_t block) {
  size_t i = t->blocks + block;
  uint64_t first = t->order[i] = first_of_block(t, block);
  for (; i > 1; i /= 2)
    t->order[i / 2] = first = sooner(first, t->order[i ^ 1]);
}

size_t bpe_merge_scratch(size_t size) {
  if (size > SIZE_MAX / 32)
    return SIZE_MAX;
  return size * sizeof(node) + 2 * blocks_of(size) * sizeof(uint64_t) + 7; /* 7 to align it */
}

size_t bpe_merge_large(const ck_bpe *model, const uint8_t *bytes, size_t size, uint32_t *ids,
                       size_t capacity, void *scratch) {
  node *nodes = (node *)(((uintptr_t)scratch + 7) & ~(uintptr_t)7);
  tournament t = {nodes, (uint64_t *)(nodes + size), size, blocks_of(size)};
  const merge none = {BPE_NONE, BPE_NONE};

  for (size_t i = 0; i < size; i++)
    nodes[i] = (node){model->byte_ids[bytes[i]], 1, none};
  for (size_t i = 0; i + 1 < size; i++)
    nodes[i].merge = merge_of(model, nodes[i].id, nodes[i + 1].id);
  for (size_t b = 0; b < t.blocks; b++)
    t.order[t.blocks + b] = first_of_block(&t, b);
  for (size_t i = t.blocks; i-- > 1;)
    t.order[i] = sooner(t.order[2 * i], t.order[2 * i + 1]);

  while (t.order[1] >> 32 != BPE_NONE) {
    size_t i = (uint32_t)t.order[1], right = i + nodes[i].size, end = right + nodes[right].size;
    size_t left = i > 0 ? i - nodes[i - 1].size : i;
    nodes[i].id = nodes[i].merge.id;
    nodes[i].size = nodes[end - 1].size = (uint32_t)(end - i);
    nodes[right].merge = none;
    nodes[i].merge = end < size ? merge_of(model, nodes[i].id, nodes[end].id) : none;
    if (left < i)
      nodes[left].merge = merge_of(model, nodes[left].id, nodes[i].id);

    replay(&t, i / BLOCK);
    if (right / BLOCK != i / BLOCK)
      replay(&t, right / BLOCK);
    if (left / BLOCK != i / BLOCK)
      replay(&t, left / BLOCK);
  }

  size_t n = 0;
  for (size_t i = 0; i < size; i += nodes[i].size, n++)
    if (n < capacity)
      ids[n] = nodes[i].id;
  return n;
}
