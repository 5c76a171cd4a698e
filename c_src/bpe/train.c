/* train.c: the merges of a new vocabulary, from pretokens and the number of times that each occurs.
 *
 * The distinct pretokens, called words here, lie one after the other with a separator around each.
 * A token is at the place of its first byte. The place of its last byte repeats its id and size, so
 * that both neighbours are found without links. An id is one higher here than outside: 0 is no id.
 * The word "then" after two merges:
 *
 *     place   0     1     2     3     4     5
 *     id      0     the         the   n     0
 *
 * The places of a pair are a circular list in ascending order: all arise in one merge, that of the
 * newer of the two ids, which goes through the words from left to right. A merge takes a few
 * operations at each place of its pair and visits no other, so n bytes of words take O(n log n)
 * time. Counts are updated rather than made anew as in Sennrich, Haddow and Birch, "Neural Machine
 * Translation of Rare Words with Subword Units" (2016). tokenizer/pairs.py does the same in Python.
 */
#include "model.h"

#include <stdlib.h>

enum { BYTES = 256, MOST_PLACES = 1 << 30 };

/* A word or a pair. In the heap, the count of a pair may be too high. */
typedef struct {
  uint64_t key; /* the hash of a word; the ids of a pair, left << 32 | right; 0: an empty slot */
  int64_t count;
  uint32_t first, size; /* the places of a word; the first place of a pair */
} entry;

typedef struct {
  entry *slots;
  size_t n, room;
} table;

typedef struct {
  int64_t count; /* of the word */
  uint32_t id, size;
  uint32_t before, after; /* in the list of the pair that begins here */
} place;

struct ck_bpe_trainer {
  uint8_t *text; /* the words, as long as they are added */
  size_t n, room;
  table words, pairs;
  table heap; /* the new pairs, behind it, have no counts yet */
  size_t n_new;
  place *places; /* made when all words have been added */
  uint32_t n_ids;
};

/* ---- tables ---- */

/* Return the entry with a key, or the empty slot where it belongs. */
static entry *find(const table *t, uint64_t key) {
  for (size_t slot = key * BPE_K1 >> 32;; slot++) {
    entry *e = t->slots + (slot & (t->room - 1));
    if (e->key == key || e->key == 0)
      return e;
  }
}

/* Make room for `more` entries. Return false if there is no memory. */
static bool reserve(table *t, size_t more) {
  table larger = {NULL, t->n, t->room ? t->room : 1024};
  if (4 * (t->n + more) <= 3 * t->room)
    return true;
  while (larger.room < 2 * (t->n + more))
    larger.room *= 2;
  if (!(larger.slots = calloc(larger.room, sizeof(entry))))
    return false;
  for (size_t i = 0; i < t->room; i++)
    if (t->slots[i].key)
      *find(&larger, t->slots[i].key) = t->slots[i];
  free(t->slots);
  *t = larger;
  return true;
}

/* ---- words ---- */

/* Count a word. Return false if there is no memory, or too much text. */
static bool add_word(ck_bpe_trainer *t, const uint8_t *bytes, size_t size) {
  size_t end = t->n + size + 2;
  if (end > MOST_PLACES)
    return false;
  if (end > t->room) {
    uint8_t *text = realloc(t->text, 2 * end);
    if (!text)
      return false;
    t->text = text;
    t->room = 2 * end;
  }
  if (!reserve(&t->words, 1))
    return false;
  /* The hash depends on an address, so that words that have the same one are hard to prepare. */
  uint64_t key = bpe_hash((uintptr_t)t ^ size, bytes, size) | 1;
  entry *word = find(&t->words, key);
  while (word->key && (word->size != size || memcmp(t->text + word->first, bytes, size) != 0))
    word = find(&t->words, key += 2);
  if (!word->key) {
    *word = (entry){key, 0, (uint32_t)t->n + 1, (uint32_t)size};
    memcpy(t->text + word->first, bytes, size);
    t->n += size + 1;
    t->words.n++;
  }
  word->count++;
  return true;
}

/* ---- the heap ---- */

/* Return true if a pair is merged before another one. */
static bool precedes(entry a, entry b) {
  return a.count > b.count || (a.count == b.count && a.key < b.key);
}

/* Put a pair where the heap has a gap. */
static void put(table *heap, size_t at, entry pair) {
  entry *slots = heap->slots;
  for (; at > 0 && precedes(pair, slots[(at - 1) / 2]); at = (at - 1) / 2)
    slots[at] = slots[(at - 1) / 2];
  for (size_t child; (child = 2 * at + 1) < heap->n; at = child) {
    child += child + 1 < heap->n && precedes(slots[child + 1], slots[child]);
    if (!precedes(slots[child], pair))
      break;
    slots[at] = slots[child];
  }
  slots[at] = pair;
}

/* Return the most frequent pair, of several the one with the lowest key, or NULL. */
static const entry *most_frequent(ck_bpe_trainer *t) {
  table *heap = &t->heap;
  for (; t->n_new > 0; t->n_new--, heap->n++)
    put(heap, heap->n, *find(&t->pairs, heap->slots[heap->n].key));
  while (heap->n > 0) {
    const entry *pair = find(&t->pairs, heap->slots->key);
    if (pair->count > 0 && pair->count == heap->slots->count)
      return pair;
    put(heap, 0, pair->count > 0 ? *pair : heap->slots[--heap->n]);
  }
  return NULL;
}

/* ---- pairs ---- */

/* Make room for new pairs, also in the heap. Return false if there is no memory. */
static bool reserve_pairs(ck_bpe_trainer *t, size_t more) {
  if (!reserve(&t->pairs, more))
    return false;
  if (t->heap.room == t->pairs.room)
    return true;
  entry *slots = realloc(t->heap.slots, t->pairs.room * sizeof *slots);
  if (slots)
    t->heap = (table){slots, t->heap.n, t->pairs.room};
  return slots != NULL;
}

/* Return the pair that begins at a place, which may be a new one, or NULL beside a separator. */
static entry *pair_at(ck_bpe_trainer *t, uint32_t at) {
  const place *left = t->places + at, *right = left + left->size;
  uint64_t key = (uint64_t)left->id << 32 | right->id;
  if (!left->id || !right->id)
    return NULL;
  entry *pair = find(&t->pairs, key);
  if (!pair->key) {
    *pair = (entry){key, 0, 0, 0};
    t->pairs.n++;
    t->heap.slots[t->heap.n + t->n_new++].key = key;
  }
  return pair;
}

/* Add a place to the end of the list of its pair. */
static void add_place(ck_bpe_trainer *t, uint32_t at) {
  entry *pair = pair_at(t, at);
  place *places = t->places;
  if (!pair)
    return;
  uint32_t first = pair->count ? pair->first : at, last = pair->count ? places[first].before : at;
  places[at].before = last;
  places[at].after = first;
  places[last].after = places[first].before = at;
  pair->first = first;
  pair->count += places[at].count;
}

static void remove_place(ck_bpe_trainer *t, uint32_t at) {
  entry *pair = pair_at(t, at);
  place *places = t->places;
  if (!pair)
    return;
  uint32_t before = places[at].before, after = places[at].after;
  places[before].after = after;
  places[after].before = before;
  if (pair->first == at)
    pair->first = after;
  pair->count -= places[at].count;
}

/* Make one token of two. */
static void merge_at(ck_bpe_trainer *t, uint32_t at) {
  place *left = t->places + at, *right = left + left->size, *end = right + right->size;
  uint32_t before = at - left[-1].size;
  remove_place(t, before);
  remove_place(t, at);
  remove_place(t, at + left->size);
  left->id = end[-1].id = t->n_ids;
  left->size = end[-1].size = (uint32_t)(end - left);
  add_place(t, before);
  add_place(t, at);
}

/* Count the pairs of bytes. Return false if there is no memory. */
static bool begin(ck_bpe_trainer *t) {
  if (!reserve_pairs(t, BYTES * BYTES) || !(t->places = calloc(t->n + 1, sizeof(place))))
    return false;
  t->n_ids = BYTES;
  for (size_t at = 0; at <= t->n; at++)
    t->places[at].size = 1;
  for (size_t i = 0; i < t->words.room; i++) {
    entry word = t->words.slots[i];
    for (uint32_t at = word.first; at < word.first + word.size; at++)
      t->places[at] = (place){word.count, t->text[at] + 1u, 1, 0, 0};
  }
  for (uint32_t at = 1; at < t->n; at++)
    add_place(t, at);
  return true;
}

/* ---- public ---- */

ck_bpe_trainer *ck_bpe_trainer_open(void) { return calloc(1, sizeof(ck_bpe_trainer)); }

void ck_bpe_trainer_close(ck_bpe_trainer *t) {
  if (!t)
    return;
  free(t->text);
  free(t->words.slots);
  free(t->pairs.slots);
  free(t->places);
  free(t->heap.slots);
  free(t);
}

int ck_bpe_trainer_add(ck_bpe_trainer *t, const uint8_t *text, size_t size, const int64_t *ends,
                       size_t n, ck_error *error) {
  for (size_t i = 0, start = 0, end; i < n; i++, start = end) {
    end = (size_t)ends[i];
    if (t->places || end <= start || end > size)
      return bpe_fail(error, CK_ARGUMENT, (int64_t)start, (int64_t)i, -1, size, end);
    if (!add_word(t, text + start, end - start))
      return bpe_fail(error, CK_MEMORY, (int64_t)start, (int64_t)i, -1, 0, 0);
  }
  return CK_OK;
}

int ck_bpe_trainer_merge(ck_bpe_trainer *t, ck_buffer *merges, ck_error *error) {
  uint64_t *keys = merges->data, key;
  const entry *pair;
  merges->n = 0;
  if (!t->places && !begin(t))
    return bpe_fail(error, CK_MEMORY, 0, 0, -1, 0, 0);
  while (merges->n < merges->capacity && (pair = most_frequent(t))) {
    key = pair->key;
    if (!reserve_pairs(t, 2 * ((size_t)t->n_ids + 1)))
      return bpe_fail(error, CK_MEMORY, 0, 0, -1, 0, 0);
    t->n_ids++;
    for (pair = find(&t->pairs, key); pair->count;)
      merge_at(t, pair->first);
    keys[merges->n++] = key - ((uint64_t)1 << 32 | 1);
  }
  return CK_OK;
}
