/* bpe_encode.c: text to ids and back. */
#include "bpe.h"

void bpe_encoder_init(bpe_encoder *encoder, const ck_bpe *model, size_t size) {
  memset(encoder, 0, offsetof(bpe_encoder, recent));
  encoder->model = model;
  while (encoder->recent_bits < 8 && size >> encoder->recent_bits > 32)
    encoder->recent_bits++;
  for (size_t i = 0; i < (size_t)1 << encoder->recent_bits; i++)
    encoder->recent[i].hi = 0;
}

/* ---- one stretch between special tokens ---- */

static inline void put(bpe_encoder *e, const uint32_t *ids, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (e->n + i < e->capacity)
      e->ids[e->n + i] = ids[i];
  e->n += n;
}

/* A piece of the short table's size that is not in it. */
static void put_short(bpe_encoder *e, const uint8_t *piece, size_t size, bpe_key key) {
  bpe_recent *recent = &e->recent[key.slot & (((size_t)1 << e->recent_bits) - 1)];
  if (recent->hi == key.hi && recent->lo == key.lo) {
    put(e, recent->ids, recent->n);
    return;
  }
  uint32_t ids[BPE_SMALL];
  size_t n = bpe_merge_small(e->model, piece, size, ids);
  put(e, ids, n);
  if (n <= sizeof recent->ids / sizeof *ids) {
    *recent = (bpe_recent){.lo = key.lo, .hi = key.hi, .n = (uint32_t)n};
    memcpy(recent->ids, ids, n * sizeof *ids);
  }
}

/* A piece too long for the short table. */
static int put_long(bpe_encoder *e, const uint8_t *piece, size_t size, ck_error *error) {
  uint32_t ids[BPE_SMALL] = {bpe_long_id(e->model, piece, size)};
  if (ids[0] != BPE_NONE) {
    put(e, ids, 1);
  } else if (size <= BPE_SMALL) {
    put(e, ids, bpe_merge_small(e->model, piece, size, ids));
  } else {
    size_t needed = bpe_merge_scratch(size);
    if (size > UINT32_MAX)
      return bpe_fail(error, CK_ARGUMENT, 0, 0, -1, 0, 0);
    if (needed > e->scratch_size)
      return bpe_fail(error, CK_DATA_CAPACITY, 0, 0, -1, needed, e->scratch_size);
    size_t room = e->n < e->capacity ? e->capacity - e->n : 0;
    e->n += bpe_merge_large(e->model, piece, size, room ? e->ids + e->n : NULL, room, e->scratch);
  }
  return CK_OK;
}

/* Encodes text[at .. end]; bytes up to `size` may be read. Blocks of pieces, so that the table's
 * slots for one block are on their way from memory together. */
static int put_stretch(bpe_encoder *e, const uint8_t *text, size_t at, size_t end, size_t size,
                       ck_error *error) {
  enum { BLOCK = 64 };
  size_t ends[BLOCK];
  bpe_key keys[BLOCK];
  const ck_bpe *model = e->model;
  while (at < end) {
    size_t n = bpe_pieces(model, text, at, end, ends, BLOCK);
    for (size_t i = 0, start = at; i < n; start = ends[i++]) {
      if (ends[i] - start > BPE_SHORT)
        continue;
      keys[i] = bpe_short_key(model, text + start, ends[i] - start, size - start);
      __builtin_prefetch(model->short_keys + 16 * keys[i].slot);
      __builtin_prefetch(model->short_ids + keys[i].slot);
    }
    for (size_t i = 0; i < n; at = ends[i++]) {
      size_t length = ends[i] - at;
      if (length > BPE_SHORT) {
        int code = put_long(e, text + at, length, error);
        if (code != CK_OK)
          return code;
        continue;
      }
      uint32_t id = bpe_short_probe(model, keys[i]);
      if (id != BPE_NONE)
        put(e, &id, 1);
      else
        put_short(e, text + at, length, keys[i]);
    }
  }
  return CK_OK;
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

size_t ck_bpe_scratch_size(size_t size) { return size <= BPE_SMALL ? 0 : bpe_merge_scratch(size); }

int ck_bpe_encode(const ck_bpe *model, const uint8_t *text, size_t size, const uint8_t *specials,
                  uint32_t *ids, size_t capacity, size_t *n_ids, void *scratch, size_t scratch_size,
                  ck_error *error) {
  bpe_finder refused = bpe_finder_make(model, specials, 2);
  bpe_finder allowed = bpe_finder_make(model, specials, 1);
  bpe_encoder encoder;
  bpe_encoder_init(&encoder, model, size);
  encoder.refused = &refused;
  encoder.allowed = &allowed;
  encoder.ids = ids;
  encoder.capacity = ids ? capacity : 0;
  encoder.scratch = scratch;
  encoder.scratch_size = scratch_size;
  *n_ids = 0;
  int code = bpe_encode_text(&encoder, text, size, 0, error);
  if (code != CK_OK)
    return code;
  *n_ids = encoder.n;
  if (ids && encoder.n > capacity)
    return bpe_fail(error, CK_CAPACITY, 0, 0, -1, encoder.n, capacity);
  return CK_OK;
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
