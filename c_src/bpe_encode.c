/* bpe_encode.c: text to ids and back. */
#include "bpe.h"

/* ---- pieces ---- */

static inline void put(bpe_encoder *e, const uint32_t *ids, size_t n) {
  size_t room = e->n < e->capacity ? e->capacity - e->n : 0, fit = n < room ? n : room;
  if (fit > 0)
    memcpy(e->ids + e->n, ids, fit * sizeof *ids);
  e->n += n;
}

static inline size_t recent_slot(bpe_key key) {
  return key.hash >> (64 - BPE_RECENT_BITS) & ~(size_t)1;
}

static inline int recent_is(const bpe_recent *recent, bpe_key key) {
  return ((recent->lo ^ key.lo) | (recent->hi ^ key.hi)) == 0;
}

/* The ids of a piece of the short table's size; how many. Remembers them. The bytes are the key's
 * own: in the text another thread may have changed them, and what is remembered must stay true. */
static size_t short_ids(bpe_encoder *e, bpe_key key, uint32_t *ids) {
  const uint64_t words[2] = {key.lo, key.hi};
  size_t n = 1;
  ids[0] = bpe_short_probe(e->model, key);
  ids[1] = ids[2] = 0;
  if (ids[0] == BPE_NONE)
    n = bpe_merge_small(e->model, (const uint8_t *)words, key.hi >> 56, ids);
  if (e->scratch) {
    bpe_recent *recent = e->scratch->recent;
    size_t slot = recent_slot(key);
    slot += recent[slot].n == 0 ? 0 : recent[slot + 1].n == 0 ? 1 : e->n & 1; /* or either one */
    recent[slot] = (bpe_recent){key.lo, key.hi, {ids[0], ids[1], ids[2]}, (uint32_t)n};
    if (n > BPE_RECENT_IDS)
      memcpy(e->scratch->more[slot], ids + BPE_RECENT_IDS, sizeof e->scratch->more[slot]);
  }
  return n;
}

/* Fetches the short table's slots of keys[from .. to]: where one piece is new, so are others. */
static inline size_t expect_tokens(const ck_bpe *model, const bpe_key *keys, size_t from, size_t to,
                                   size_t n) {
  for (; from < to && from < n; from++) {
    size_t slot = keys[from].hash >> (64 - model->short_bits);
    __builtin_prefetch(model->short_keys + 16 * slot);
    __builtin_prefetch(model->short_ids + slot);
  }
  return from;
}

static int put_merged(bpe_encoder *e, const uint8_t *piece, size_t size, ck_error *error) {
  size_t room = e->n < e->capacity ? e->capacity - e->n : 0;
  size_t n = bpe_merge_long(e->model, piece, size, room ? e->ids + e->n : NULL, room);
  if (n == 0)
    return bpe_fail(error, CK_DATA_CAPACITY, 0, 0, -1, size, 0);
  e->n += n;
  return CK_OK;
}

/* A piece too long for the short table. */
static int put_long(bpe_encoder *e, const uint8_t *piece, size_t size, ck_error *error) {
  if (size > BPE_FAR_BYTES || !e->scratch) {
    uint32_t id = bpe_long_id(e->model, bpe_long_hash(piece, size), piece, size);
    if (id == BPE_NONE)
      return put_merged(e, piece, size, error);
    put(e, &id, 1);
    return CK_OK;
  }
  uint8_t bytes[BPE_FAR_BYTES]; /* nobody changes these meanwhile */
  piece = memcpy(bytes, piece, size);
  uint64_t hash = bpe_long_hash(piece, size);
  bpe_far *far = &e->scratch->far[hash >> (64 - BPE_FAR_BITS)];
  if (far->size != size || memcmp(far->piece, piece, size) != 0) {
    uint32_t ids[BPE_FAR_BYTES] = {bpe_long_id(e->model, hash, piece, size)};
    size_t n = ids[0] != BPE_NONE ? 1 : bpe_merge_small(e->model, piece, size, ids);
    if (n > BPE_FAR_IDS) {
      put(e, ids, n);
      return CK_OK;
    }
    far->size = (uint16_t)size;
    far->n = (uint16_t)n;
    memcpy(far->piece, piece, size);
    memcpy(far->ids, ids, n * sizeof *ids);
  }
  put(e, far->ids, far->n);
  return CK_OK;
}

/* ---- one stretch between special tokens ---- */

/* n pieces, the first of them at text + at; `size` bytes of text may be read. Two loops, so that the
 * memory which the second one looks at is on its way for all pieces at once. */
static int put_pieces(bpe_encoder *e, const uint8_t *text, size_t size, size_t at,
                      const size_t *ends, size_t n, ck_error *error) {
  static const bpe_recent nothing[2];
  const bpe_recent *recent = e->scratch ? e->scratch->recent : nothing;
  size_t slots[BPE_BLOCK];
  bpe_key keys[BPE_BLOCK];
  for (size_t i = 0, start = at; i < n; start = ends[i++]) {
    keys[i] = bpe_key_of(text + start, ends[i] - start, size - start);
    slots[i] = e->scratch ? recent_slot(keys[i]) : 0;
    __builtin_prefetch(recent + slots[i]);
  }
  /* Room for as many ids as these pieces can have, and for copying too many. */
  uint32_t buffer[BPE_SHORT * (BPE_BLOCK + 1)];
  for (size_t i = 0, expected = 0; i < n;) {
    uint32_t *out = buffer;
    for (; i < n; at = ends[i++]) {
      size_t slot = slots[i] + !recent_is(recent + slots[i], keys[i]);
      if (__builtin_expect(recent_is(recent + slot, keys[i]), 1)) {
        memcpy(out, recent[slot].ids, 4 * sizeof *out);
        if (__builtin_expect(recent[slot].n > BPE_RECENT_IDS, 0))
          memcpy(out + BPE_RECENT_IDS, e->scratch->more[slot], sizeof e->scratch->more[slot]);
        out += recent[slot].n;
      } else if (ends[i] - at <= BPE_SHORT) {
        expected = expect_tokens(e->model, keys, expected > i ? expected : i + 1, i + 16, n);
        out += short_ids(e, keys[i], out);
      } else {
        break;
      }
    }
    put(e, buffer, (size_t)(out - buffer));
    if (i < n) {
      int code = put_long(e, text + at, ends[i] - at, error);
      if (code != CK_OK)
        return code;
      at = ends[i++];
    }
  }
  return CK_OK;
}

/* Encodes text[at .. end]; bytes up to `size` may be read. */
static int put_stretch(bpe_encoder *e, const uint8_t *text, size_t at, size_t end, size_t size,
                       ck_error *error) {
  size_t ends[BPE_BLOCK];
  int code = CK_OK;
  while (at < end && code == CK_OK) {
    size_t n = bpe_pieces(e->model, text, at, end, ends, BPE_BLOCK);
    code = put_pieces(e, text, size, at, ends, n, error);
    at = ends[n - 1];
  }
  return code;
}

/* ---- one text ---- */

int bpe_encode_text(bpe_encoder *e, const uint8_t *text, size_t size, int64_t record,
                    ck_error *error) {
  uint32_t number;
  size_t length;
  size_t bad = bpe_utf8(text, size);
  if (bad < size)
    return bpe_fail(error, CK_UTF8, (int64_t)bad, record, -1, 0, 0);
  size_t found = bpe_find(e->refused, text, 0, size, &number, &length);
  if (found < size)
    return bpe_fail(error, CK_SPECIAL, (int64_t)found, record, number, 0, 0);

  for (size_t at = 0; at < size; at = found + length) {
    length = 0;
    found = bpe_find(e->allowed, text, at, size, &number, &length);
    int code = put_stretch(e, text, at, found, size, error);
    if (code != CK_OK) {
      error->record = code == CK_DATA_CAPACITY ? record : 0;
      return code;
    }
    if (found < size)
      put(e, &e->model->special_ids[number], 1);
  }
  return CK_OK;
}

int ck_bpe_encode(const ck_bpe *model, const uint8_t *text, size_t size, const uint8_t *specials,
                  uint32_t *ids, size_t capacity, size_t *n_ids, ck_bpe_pool *pool,
                  ck_error *error) {
  bpe_finder refused, allowed;
  refused.prefix = allowed.prefix = 0; /* finds nothing: the rest need not be filled */
  if (specials) {
    refused = bpe_finder_make(model, specials, 2);
    allowed = bpe_finder_make(model, specials, 1);
  }
  bpe_encoder encoder = {model, &refused,           &allowed, ids, ids ? capacity : 0,
                         0,     bpe_pool_take(pool)};
  int code = bpe_encode_text(&encoder, text, size, 0, error);
  bpe_pool_give(pool, encoder.scratch);
  *n_ids = code == CK_OK ? encoder.n : 0;
  if (code == CK_OK && ids && encoder.n > capacity)
    return bpe_fail(error, CK_CAPACITY, 0, 0, -1, encoder.n, capacity);
  return code;
}

/* ---- back to text ---- */

int ck_bpe_decode(const ck_bpe *model, const uint32_t *ids, size_t n, uint8_t *out, size_t capacity,
                  size_t *size, ck_error *error) {
  size_t used = 0;
  *size = 0;
  for (size_t i = 0; i < n; i++) {
    if (ids[i] >= model->n_ids || !model->defined[ids[i]])
      return bpe_fail(error, CK_UNKNOWN_ID, 0, (int64_t)i, -1, 0, ids[i]);
    bpe_token token = bpe_token_bytes(model, ids[i]);
    if (out && used <= capacity && token.size <= capacity - used)
      memcpy(out + used, token.bytes, token.size);
    used += token.size;
  }
  *size = used;
  if (out && used > capacity)
    return bpe_fail(error, CK_CAPACITY, 0, 0, -1, used, capacity);
  return CK_OK;
}
