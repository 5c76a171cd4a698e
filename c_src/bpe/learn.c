/* learn.c: longer pretokens that are not cached, a few at a time.
 *
 * New pretokens often come in groups. They are merged together, since a single merge mostly waits
 * for memory. For shorter pretokens the preparation would cost more than it saves.
 */
#include "encode.h"
#include "merge.h"

enum { AHEAD = 16 }; /* pretokens */

size_t bpe_learn(bpe_encoder *e, const uint8_t *text, const bpe_block *b, size_t i) {
  uint8_t copies[BPE_ROWS][BPE_ROW];
  bpe_symbol symbols[BPE_ROWS][BPE_ROW];
  bpe_key keys[BPE_ROWS];
  bpe_row rows[BPE_ROWS];
  size_t end = b->n - i < AHEAD ? b->n : i + AHEAD, n = 0;
  for (; i < end && n < BPE_ROWS; i++) {
    size_t size = b->bounds[i + 1] - b->bounds[i];
    if (size <= BPE_SMALL || size > BPE_ROW || bpe_cache_has(e->scratch, b->keys[i]))
      continue;
    /* The pretoken is copied: another thread may change the text, and the cache must stay
     * correct. */
    keys[n] = bpe_long_key(memcpy(copies[n], text + b->bounds[i], size), size);
    uint32_t id = bpe_long_id(e->model, keys[n].lo, copies[n], size);
    if (id != BPE_NONE) {
      bpe_cache_put(e->scratch, keys[n], copies[n], size, &id, 1);
      continue;
    }
    rows[n] = (bpe_row){copies[n], size, 0, symbols[n]};
    n++;
  }
  bpe_merge_rows(e->model, rows, n);
  for (size_t k = 0; k < n; k++) {
    uint32_t ids[BPE_ROW];
    for (size_t s = 0; s < rows[k].n; s++)
      ids[s] = symbols[k][s].id;
    bpe_cache_put(e->scratch, keys[k], copies[k], rows[k].size, ids, rows[k].n);
  }
  return i;
}
