/* merge.c: merge one pretoken, always the lowest rank first, the leftmost on a tie.
 *
 * A short pretoken is an array that is searched for its minimum again and again: quadratic, but
 * nothing is faster for a few bytes. A longer one uses a tournament tree: O(n log n) for any bytes.
 */
#include "merge.h"

/* Compare merges as rank << 32 | place: the lowest rank first, the leftmost on a tie. A branch
 * would be mispredicted half of the time. */
static inline uint64_t sooner(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* ---- short pretokens ---- */

size_t bpe_merge_small(const bpe_model *model, const uint8_t *bytes, size_t size, uint32_t ids[]) {
  uint32_t ranks[BPE_SMALL + 8]; /* ranks[i] is the rank of merging ids[i] and ids[i + 1] */
  for (size_t i = 0; i < size; i++)
    ids[i] = model->byte_ids[bytes[i]];
  for (size_t i = 0; i + 1 < size; i++)
    ranks[i] = bpe_rank_of_bytes(model, bytes + i);
  while (size > 1) {
    uint64_t first = UINT64_MAX;
    for (size_t i = 0; i + 1 < size; i++)
      first = sooner(first, (uint64_t)ranks[i] << 32 | i);
    if (first >> 32 == BPE_NONE)
      break;
    size_t best = (uint32_t)first;

    ids[best] = bpe_merged_id(model, ranks[best]);
    size--;
    bpe_pair before, after;
    if (best + 1 < size)
      after = bpe_expect(model, ids[best], ids[best + 2]);
    if (best > 0)
      before = bpe_expect(model, ids[best - 1], ids[best]);
    for (size_t i = best + 1; i < size; i += 8) { /* eight at a time, which usually covers all */
      uint32_t moved[16];
      memcpy(moved, ids + i + 1, 32);
      memcpy(moved + 8, ranks + i, 32);
      memcpy(ids + i, moved, 32);
      memcpy(ranks + i - 1, moved + 8, 32);
    }
    if (best + 1 < size)
      ranks[best] = bpe_rank_of(model, after);
    if (best > 0)
      ranks[best - 1] = bpe_rank_of(model, before);
  }
  return size;
}

/* ---- longer pretokens ---- */

/* A symbol covers bytes [i, i + size) of the pretoken and lives in node i. Its last node repeats
 * the size, so that both neighbours of a symbol are found without links: i + size and i - size[i -
 * 1]. */
typedef struct {
  uint32_t id, size;
} node;

/* A tournament tree in which each node has eight children. levels[0][i] is the merge of node i with
 * its right neighbour, rank << 32 | i; levels[l + 1][i] is the minimum of the eight entries of
 * levels[l] from 8 i on. The highest level has at most eight entries. */
enum { MAX_LEVELS = 11 };

typedef struct {
  node *nodes;
  uint64_t *levels[MAX_LEVELS];
  size_t top;
} tournament;

static inline uint64_t least_of_8(const uint64_t *of) {
  return sooner(sooner(sooner(of[0], of[1]), sooner(of[2], of[3])),
                sooner(sooner(of[4], of[5]), sooner(of[6], of[7])));
}

static void replay(tournament *t, size_t i) {
  for (size_t l = 0; l < t->top; l++) {
    i /= 8;
    uint64_t least = least_of_8(t->levels[l] + 8 * i);
    if (t->levels[l + 1][i] == least)
      return;
    t->levels[l + 1][i] = least;
  }
}

/* Set the merge of node i with the one after it. */
static inline void match(tournament *t, const bpe_model *model, size_t i, bpe_pair pair) {
  t->levels[0][i] = (uint64_t)bpe_rank_of(model, pair) << 32 | i;
}

static size_t rounded(size_t n) { return (n + 7) & ~(size_t)7; }

size_t bpe_tournament_size(size_t size) {
  size_t entries = 0;
  for (size_t n = size; n > 8; n = (n + 7) / 8)
    entries += rounded(n);
  return (entries + 8) * sizeof(uint64_t) + size * sizeof(node);
}

/* Lay out memory for the levels and set every entry to "no merge". */
static tournament tournament_in(void *memory, size_t size) {
  tournament t = {.top = 0};
  uint64_t *next = memory;
  for (size_t n = size;; n = (n + 7) / 8, t.top++) {
    t.levels[t.top] = next;
    next += rounded(n);
    if (n <= 8)
      break;
  }
  memset(memory, 0xFF, (size_t)(next - t.levels[0]) * sizeof *next);
  t.nodes = (node *)next;
  return t;
}

size_t bpe_tournament(const bpe_model *model, const uint8_t *bytes, size_t size,
                      bpe_symbol *symbols, void *memory) {
  tournament t = tournament_in(memory, size);
  node *nodes = t.nodes;
  for (size_t i = 0; i < size; i++)
    nodes[i] = (node){model->byte_ids[bytes[i]], 1};
  for (size_t i = 0; i + 1 < size; i++)
    t.levels[0][i] = (uint64_t)bpe_rank_of_bytes(model, bytes + i) << 32 | i;
  for (size_t l = 0, n = size; l < t.top; l++, n = (n + 7) / 8)
    for (size_t i = 0; i < n; i += 8)
      t.levels[l + 1][i / 8] = least_of_8(t.levels[l] + i);

  for (;;) {
    uint64_t first = least_of_8(t.levels[t.top]);
    if (first >> 32 == BPE_NONE || bpe_stopped(model))
      break;
    size_t i = (uint32_t)first, right = i + nodes[i].size, end = right + nodes[right].size;
    size_t left = i > 0 ? i - nodes[i - 1].size : i;
    nodes[i].id = bpe_merged_id(model, first >> 32);
    nodes[i].size = nodes[end - 1].size = (uint32_t)(end - i);
    bpe_pair before, after;
    if (end < size)
      after = bpe_expect(model, nodes[i].id, nodes[end].id);
    if (left < i)
      before = bpe_expect(model, nodes[left].id, nodes[i].id);
    t.levels[0][right] = t.levels[0][i] = UINT64_MAX;
    if (end < size)
      match(&t, model, i, after);
    if (left < i)
      match(&t, model, left, before);

    replay(&t, i);
    if (right / 8 != i / 8)
      replay(&t, right);
    if (left / 8 != i / 8)
      replay(&t, left);
  }

  size_t n = 0;
  for (size_t i = 0; i < size; i += nodes[i].size)
    symbols[n++] = (bpe_symbol){nodes[i].id, nodes[i].size};
  return n;
}
