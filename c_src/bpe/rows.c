/* rows.c: merge several sequences of bytes in lockstep.
 *
 * A merge waits for the table of pairs and for unpredictable branches. A step is therefore taken in
 * each row before the next step in the first: by then, the memory that it prefetched has arrived.
 */
#include "common/cpu.h"
#include "common/target.h"
#include "merge.h"

enum { PLACE_BITS = 9, GROUP = 32, GROUPS = BPE_ROW / GROUP };

/* A symbol lives at the place of its first byte. Its last place repeats its size, so that both
 * neighbours are found without links: i + sizes[i] and i - sizes[i - 1]. merges[i] is the merge of
 * the symbol at i with its right neighbour, rank << PLACE_BITS | i, so that smaller numbers merge
 * first; it is BPE_NONE if there is no symbol or no merge. */
typedef struct {
  uint32_t merges[BPE_ROW], least[GROUPS]; /* the lowest of each group of merges */
  uint32_t ids[BPE_ROW];
  uint16_t sizes[BPE_ROW];
  size_t size, left, place, right, end; /* the current merge, and its neighbours */
  bpe_pair before, after;               /* the pairs with these neighbours */
} lane;

/* Compilers vectorise these loops. */
static inline __attribute__((always_inline)) uint32_t least_of(const uint32_t *of, size_t n) {
  uint32_t least = of[0];
  for (size_t i = 1; i < n; i++)
    least = of[i] < least ? of[i] : least;
  return least;
}

static inline __attribute__((always_inline)) void regroup(lane *l, size_t place) {
  size_t group = place / GROUP;
  l->least[group] = least_of(l->merges + group * GROUP, GROUP);
}

static inline uint32_t merge_at(uint32_t rank, size_t place) {
  return rank == BPE_NONE ? BPE_NONE : rank << PLACE_BITS | (uint32_t)place;
}

static inline __attribute__((always_inline)) void start(lane *l, const bpe_model *model,
                                                        const bpe_row *row) {
  size_t size = l->size = row->size;
  memset(l->least, 0xFF, sizeof l->least);
  memset(l->merges, 0xFF, (size + GROUP - 1) / GROUP * GROUP * sizeof *l->merges);
  for (size_t i = 0; i < size; i++) {
    l->ids[i] = model->byte_ids[row->bytes[i]];
    l->sizes[i] = 1;
  }
  for (size_t i = 0; i + 1 < size; i++)
    l->merges[i] = merge_at(bpe_rank_of_bytes(model, row->bytes + i), i);
  for (size_t i = 0; i < size; i += GROUP)
    regroup(l, i);
}

/* Make the next merge, and prefetch the entries that the result's next merges need. Return 0 if no
 * merge is left. */
static inline __attribute__((always_inline)) int begin(lane *l, const bpe_model *model) {
  uint32_t first = least_of(l->least, GROUPS);
  if (first == BPE_NONE)
    return 0;
  size_t i = l->place = first % BPE_ROW;
  l->right = i + l->sizes[i];
  l->end = l->right + l->sizes[l->right];
  l->left = i > 0 ? i - l->sizes[i - 1] : i;
  uint32_t id = l->ids[i] = bpe_merged_id(model, first >> PLACE_BITS);
  l->sizes[i] = l->sizes[l->end - 1] = (uint16_t)(l->end - i);
  if (l->end < l->size)
    l->after = bpe_expect(model, id, l->ids[l->end]);
  if (l->left < i)
    l->before = bpe_expect(model, l->ids[l->left], id);
  return 1;
}

static inline __attribute__((always_inline)) void end(lane *l, const bpe_model *model) {
  size_t i = l->place;
  l->merges[l->right] = BPE_NONE;
  l->merges[i] = l->end < l->size ? merge_at(bpe_rank_of(model, l->after), i) : BPE_NONE;
  if (l->left < i)
    l->merges[l->left] = merge_at(bpe_rank_of(model, l->before), l->left);
  regroup(l, i);
  if (l->right / GROUP != i / GROUP)
    regroup(l, l->right);
  if (l->left / GROUP != i / GROUP)
    regroup(l, l->left);
}

#define MERGE(name)                                                                                \
  static void name(const bpe_model *model, bpe_row *rows, size_t n) {                              \
    lane lanes[BPE_ROWS], *live[BPE_ROWS];                                                         \
    size_t n_live = 0;                                                                             \
    for (size_t k = 0; k < n; k++) {                                                               \
      start(&lanes[k], model, &rows[k]);                                                           \
      if (begin(&lanes[k], model))                                                                 \
        live[n_live++] = &lanes[k];                                                                \
    }                                                                                              \
    while (n_live > 0) {                                                                           \
      for (size_t k = n_live; k-- > 0;)                                                            \
        end(live[k], model);                                                                       \
      for (size_t k = n_live; k-- > 0;)                                                            \
        if (!begin(live[k], model))                                                                \
          live[k] = live[--n_live];                                                                \
    }                                                                                              \
    for (size_t k = 0; k < n; k++) {                                                               \
      rows[k].n = 0;                                                                               \
      for (size_t i = 0; i < rows[k].size; i += lanes[k].sizes[i])                                 \
        rows[k].symbols[rows[k].n++] = (bpe_symbol){lanes[k].ids[i], lanes[k].sizes[i]};           \
    }                                                                                              \
  }

MERGE(portable_merge)

#if defined(__x86_64__)
TARGET_BEGIN("avx2,bmi,bmi2")
MERGE(avx2_merge)
TARGET_END
#endif

void bpe_merge_rows(const bpe_model *model, bpe_row *rows, size_t n) {
#if defined(__x86_64__)
  if (ck_isa_level() >= CK_AVX2)
    return avx2_merge(model, rows, n);
#endif
  portable_merge(model, rows, n);
}
