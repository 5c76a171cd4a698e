/* encode.c: text to ids and back. */
#include "encode.h"
#include "bpe.h"
#include "merge.h"

/* ---- pretokens ---- */

static inline void put(bpe_encoder *e, const uint32_t *ids, size_t n) {
  size_t room = e->n < e->capacity ? e->capacity - e->n : 0, fit = n < room ? n : room;
  if (fit > 0)
    memcpy(e->ids + e->n, ids, fit * sizeof *ids);
  e->n += n;
}

/* Merge a pretoken that is too long to be cached. */
static int put_merged(bpe_encoder *e, const uint8_t *pretoken, size_t size, ck_error *error) {
  size_t room = e->n < e->capacity ? e->capacity - e->n : 0;
  size_t n = bpe_merge_long(e->model, pretoken, size, room ? e->ids + e->n : NULL, room);
  if (n == 0)
    return bpe_fail(error, CK_DATA_CAPACITY, 0, 0, -1, size, 0);
  e->n += n;
  return CK_OK;
}

/* Write the ids of a pretoken of at most BPE_CACHED_BYTES, which no other thread may change, and
 * return their number. */
static size_t ids_of(bpe_encoder *e, const uint8_t *pretoken, size_t size, bpe_key key,
                     uint32_t *ids) {
  ids[0] = size <= BPE_SHORT ? bpe_short_id(e->model, key)
                             : bpe_long_id(e->model, key.lo, pretoken, size);
  if (ids[0] != BPE_NONE)
    return 1;
  return size <= BPE_SMALL ? bpe_merge_small(e->model, pretoken, size, ids)
                           : bpe_merge_long(e->model, pretoken, size, ids, size);
}

/* Encode a pretoken that bpe_take did not find. */
static int put_uncached(bpe_encoder *e, const uint8_t *pretoken, size_t size, bpe_key key,
                        ck_error *error) {
  if (size > BPE_CACHED_BYTES) {
    uint32_t id = bpe_long_id(e->model, key.lo, pretoken, size);
    if (id == BPE_NONE)
      return put_merged(e, pretoken, size, error);
    put(e, &id, 1);
    return CK_OK;
  }
  uint32_t ids[BPE_CACHED_BYTES];
  size_t n = e->scratch ? bpe_cache_get(e->scratch, key, pretoken, size, ids) : 0;
  if (n == 0) {
    /* The pretoken is copied: another thread may change the text, and the cache must stay
     * correct. */
    uint8_t copy[BPE_CACHED_BYTES];
    const uint8_t *bytes = (const uint8_t *)&key;
    if (size > BPE_SHORT) {
      bytes = memcpy(copy, pretoken, size);
      key = bpe_long_key(bytes, size);
    }
    n = ids_of(e, bytes, size, key, ids);
    if (n == 0)
      return bpe_fail(error, CK_DATA_CAPACITY, 0, 0, -1, size, 0);
    if (e->scratch)
      bpe_cache_put(e->scratch, key, bytes, size, ids, n);
  }
  put(e, ids, n);
  return CK_OK;
}

/* ---- one stretch between special tokens ---- */

/* Prefetch the short table's slots of the pretokens after `i`: new pretokens come in groups. */
static inline void expect_tokens(const bpe_model *model, const bpe_block *b, size_t i,
                                 size_t *expected) {
  if (*expected <= i)
    *expected = i + 1;
  for (; *expected < i + 16 && *expected < b->n; ++*expected) {
    size_t slot = bpe_key_hash(b->keys[*expected]) >> (64 - model->short_bits);
    __builtin_prefetch(model->short_keys + 16 * slot);
    __builtin_prefetch(model->short_ids + slot);
  }
}

int bpe_put_pretokens(bpe_encoder *e, const uint8_t *text, const bpe_block *b, size_t i, size_t end,
                      ck_error *error) {
  uint32_t buffer[BPE_SHORT * (BPE_BLOCK + 1)];
  for (size_t expected = 0, learnt = 0; i < end;) {
    /* Words written after the ids of a pretoken do no harm if as many pretokens follow, and a
     * pretoken never has more ids than bytes. */
    size_t most = b->bounds[b->n] - b->bounds[i];
    int direct = b->n - i > BPE_SHORT && e->n < e->capacity && most <= e->capacity - e->n;
    size_t until = direct && b->n - BPE_SHORT < end ? b->n - BPE_SHORT : end;
    uint32_t *start = direct ? e->ids + e->n : buffer, *out = start;
    i = bpe_take(e->scratch, b, text, i, until, &out);
    if (direct)
      e->n += (size_t)(out - start);
    else
      put(e, start, (size_t)(out - start));
    if (i == until)
      continue;
    expect_tokens(e->model, b, i, &expected);
    if (e->scratch && i >= learnt && b->bounds[i + 1] - b->bounds[i] > BPE_SMALL) {
      learnt = bpe_learn(e, text, b, i);
      continue;
    }
    int code =
        put_uncached(e, text + b->bounds[i], b->bounds[i + 1] - b->bounds[i], b->keys[i], error);
    if (code != CK_OK)
      return code;
    i++;
  }
  return CK_OK;
}

/* Write the ids of a block; `size` bytes of its text are readable. */
static int put_block(bpe_encoder *e, const uint8_t *text, size_t size, bpe_block *b,
                     ck_error *error) {
  bpe_look_ahead(e->scratch, b, text, size);
  int code = bpe_put_pretokens(e, text, b, 0, b->n, error);
  if (e->scratch)
    bpe_cache_grow(e->scratch);
  return code;
}

enum { SMALL_TEXT = 64 };

/* Encode text[at .. end]; bytes up to `size` are readable. */
static int put_stretch(bpe_encoder *e, const uint8_t *text, size_t at, size_t end, size_t size,
                       ck_error *error) {
  bpe_block b;
  uint8_t padded[SMALL_TEXT + 16];
  int code = CK_OK;
  if (end - at > 16 &&
      end - at <= SMALL_TEXT) { /* so that 16 bytes are readable at each of its places */
    text = memcpy(padded, text + at, end - at);
    size = sizeof padded;
    end -= at;
    at = 0;
  }
  for (; at < end && code == CK_OK && !bpe_stopped(e->model); at = b.bounds[b.n]) {
    b.bounds[0] = at;
    b.n = bpe_pretokens(e->model, text, at, end, b.bounds + 1, BPE_BLOCK);
    code = put_block(e, text, size, &b, error);
  }
  return code;
}

/* ---- one text ---- */

int bpe_encode_text(bpe_encoder *e, const uint8_t *text, size_t size, int64_t record,
                    ck_error *error) {
  uint32_t number;
  size_t length;
  size_t bad = bpe_valid(e->model, text, size);
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

int ck_bpe_encode(ck_bpe *opened, const uint8_t *text, size_t size, const uint8_t *specials,
                  ck_buffer *ids, ck_interrupt *interrupt, ck_error *error) {
  bpe_model own;
  const bpe_model *model = bpe_begin(opened, interrupt, &own);
  bpe_finder refused = bpe_finder_make(model, specials, 2);
  bpe_finder allowed = bpe_finder_make(model, specials, 1);
  bpe_encoder encoder = {.model = model,
                         .refused = &refused,
                         .allowed = &allowed,
                         .ids = ids->data,
                         .capacity = ids->data ? ids->capacity : 0,
                         .scratch = bpe_pool_take(&opened->pool)};
  int code = bpe_encode_text(&encoder, text, size, 0, error);
  bpe_pool_put(&opened->pool, encoder.scratch);
  return bpe_finish(model, code, ids, encoder.n, error);
}

/* ---- back to text ---- */

enum { CHECKED_IDS = 1 << 10 }; /* for each check of the interrupt */

int ck_bpe_decode(const ck_bpe *opened, const uint32_t *ids, size_t n, ck_buffer *bytes,
                  ck_interrupt *interrupt, ck_error *error) {
  bpe_model own;
  const bpe_model *model = bpe_begin(opened, interrupt, &own);
  uint8_t *out = bytes->data;
  size_t capacity = bytes->capacity, used = 0;
  bytes->n = 0;
  for (size_t i = 0; i < n && !bpe_stopped(model);) {
    for (size_t end = n - i < CHECKED_IDS ? n : i + CHECKED_IDS; i < end; i++) {
      if (ids[i] >= model->n_ids || !model->defined[ids[i]])
        return bpe_fail(error, CK_UNKNOWN_ID, 0, (int64_t)i, -1, 0, ids[i]);
      bpe_token token = bpe_token_bytes(model, ids[i]);
      if (out && used <= capacity && token.size <= capacity - used)
        memcpy(out + used, token.bytes, token.size);
      used += token.size;
    }
  }
  return bpe_finish(model, CK_OK, bytes, used, error);
}
