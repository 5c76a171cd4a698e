/* model.c: open a model and look things up in its tables.
 *
 * A model is untrusted data. bpe_open proves that every section lies within the blob; each look-up
 * checks what the sections say (ids, offsets, how full a table is).
 */
#include "bpe.h"
#include "text.h"

#include <stdlib.h>

/* ---- open ---- */

enum { HEADER = 192, INDEX = 8704, BLOCK = 128, CLASSES = 7, QWEN35 = 4 };

static uint64_t header64(const uint8_t *blob, size_t at) { return bpe_load64(blob + at); }

static uint32_t header32(const uint8_t *blob, size_t at) {
  return (uint32_t)(bpe_load64(blob + at - at % 8) >> at % 8 * 8);
}

/* Return the section whose offset is in the header at `at`, or NULL unless its `size` bytes are in
 * the blob. */
static const void *section(const uint8_t *blob, size_t blob_size, size_t at, uint64_t size) {
  uint64_t offset = header64(blob, at);
  int inside = offset >= HEADER && offset <= blob_size && size <= blob_size - offset;
  return inside && offset % 64 == 0 ? blob + offset : NULL;
}

static int bits_are_sane(uint32_t bits) { return bits >= 1 && bits <= 30; }

static int tables_are_sane(const bpe_model *model, uint32_t n_blocks) {
  uint16_t block = 0, entry = 0; /* the maxima, without exits, so that the loops vectorise */
  uint8_t class = 0;
  for (size_t i = 0; i < INDEX; i++)
    block = model->unicode_index[i] > block ? model->unicode_index[i] : block;
  for (size_t i = 0; i < (size_t)n_blocks * BLOCK; i++)
    class = model->unicode_blocks[i] > class ? model->unicode_blocks[i] : class;
  if (model->n_states == 0)
    return model->pattern < BPE_AUTOMATON && block < n_blocks && class < CLASSES;
  for (size_t i = 0; i < (size_t)model->n_states * BPE_COLUMNS; i++)
    entry = model->automaton[i] > entry ? model->automaton[i] : entry;
  return model->pattern >= BPE_AUTOMATON && block < n_blocks && class < BPE_COLUMNS - 1 &&
         entry >> 1 < model->n_states;
}

/* Return true if ASCII needs no table look-up. */
static int ascii_is_plain(const bpe_model *model) {
  const uint8_t *classes = model->unicode_blocks + model->unicode_index[0] * BLOCK;
  int plain = 1;
  for (int c = 0; c < BLOCK; c++)
    plain &= classes[c] == (c >= 'A' && c <= 'Z'              ? 1
                            : c >= 'a' && c <= 'z'            ? 2
                            : c >= '0' && c <= '9'            ? 5
                            : c == ' ' || (c >= 9 && c <= 13) ? 6
                                                              : 0);
  return plain;
}

/* Fill in *m. Return 0 if the blob is not a model. */
static int read_model(bpe_model *m, const uint8_t *blob, size_t size) {
  if ((uintptr_t)blob % 8 != 0 || size < HEADER || memcmp(blob, "ckbpe\0\0\3", 8) != 0 ||
      header64(blob, 8) != size)
    return 0;

  m->pattern = header32(blob, 16);
  m->max_digits = header32(blob, 20);
  m->n_ids = header32(blob, 24);
  m->n_special = header32(blob, 28);
  m->short_bits = header32(blob, 32);
  m->long_bits = header32(blob, 36);
  m->pair_bits = header32(blob, 40);
  m->n_merged = header32(blob, 168);
  m->n_states = header32(blob, 172);
  uint32_t n_blocks = header32(blob, 44);
  if (m->pattern < 1 || n_blocks < 1 || n_blocks > 256 || !bits_are_sane(m->short_bits) ||
      !bits_are_sane(m->long_bits) || !bits_are_sane(m->pair_bits))
    return 0;

  m->unicode_index = section(blob, size, 48, INDEX * sizeof *m->unicode_index);
  m->unicode_blocks = section(blob, size, 56, (uint64_t)n_blocks * BLOCK);
  m->byte_ids = section(blob, size, 64, 256 * sizeof *m->byte_ids);
  m->short_keys = section(blob, size, 72, (uint64_t)16 << m->short_bits);
  m->short_ids = section(blob, size, 80, (uint64_t)4 << m->short_bits);
  m->long_ids = section(blob, size, 88, (uint64_t)4 << m->long_bits);
  m->pairs = section(blob, size, 96, (uint64_t)8 << m->pair_bits);
  m->defined = section(blob, size, 104, m->n_ids);
  m->token_offsets = section(blob, size, 112, ((uint64_t)m->n_ids + 1) * sizeof *m->token_offsets);
  m->special_ids = section(blob, size, 128, (uint64_t)m->n_special * sizeof *m->special_ids);
  m->byte_pairs = section(blob, size, 136, 256 * 256 * sizeof *m->byte_pairs);
  m->pair_filter = section(blob, size, 144, ((uint64_t)1 << m->pair_bits) / 2);
  m->merged = section(blob, size, 152, (uint64_t)m->n_merged * sizeof *m->merged);
  m->special_prefixes =
      section(blob, size, 160, (uint64_t)m->n_special * sizeof *m->special_prefixes);
  m->automaton =
      section(blob, size, 176, (uint64_t)m->n_states * BPE_COLUMNS * sizeof *m->automaton);
  if (!m->automaton || !m->unicode_index || !m->unicode_blocks || !m->byte_ids || !m->short_keys ||
      !m->short_ids || !m->long_ids || !m->pairs || !m->defined || !m->token_offsets ||
      !m->special_ids || !m->byte_pairs || !m->pair_filter || !m->merged || !m->special_prefixes)
    return 0;

  m->token_bytes = section(blob, size, 120, m->token_offsets[m->n_ids]);
  if (!m->token_bytes || !tables_are_sane(m, n_blocks) || !bpe_specials_prepare(m))
    return 0;
  m->plain = m->n_states == 0 && ascii_is_plain(m);
  if (m->pattern == QWEN35)
    m->pattern = 2; /* cl100k, with classes in which marks are letters */
  return 1;
}

ck_bpe *ck_bpe_open(const uint8_t *blob, size_t size, uint32_t options, ck_error *error) {
  ck_bpe *opened = calloc(1, sizeof *opened);
  if (opened && read_model(&opened->model, blob, size)) {
    opened->pool.uncached = (options & CK_UNCACHED) != 0;
    return opened;
  }
  bpe_fail(error, opened ? CK_ARGUMENT : CK_MEMORY, 0, 0, -1, 0, 0);
  free(opened);
  return NULL;
}

void ck_bpe_close(ck_bpe *opened) {
  if (opened)
    bpe_pool_free(&opened->pool);
  free(opened);
}

size_t ck_bpe_n_special(const ck_bpe *opened) { return opened->model.n_special; }

/* ---- look-ups ---- */

uint64_t bpe_hash(uint64_t hash, const uint8_t *bytes, size_t size) {
  uint64_t word = 0;
  for (; size >= 8; size -= 8, bytes += 8) {
    hash = (hash ^ bpe_load64(bytes)) * BPE_K1;
    hash ^= hash >> 32;
  }
  if (size > 0) {
    memcpy(&word, bytes, size);
    hash = (hash ^ word) * BPE_K1;
    hash ^= hash >> 32;
  }
  return hash;
}

uint32_t bpe_long_id(const bpe_model *model, uint64_t hash, const uint8_t *bytes, size_t size) {
  size_t slots = (size_t)1 << model->long_bits, slot = hash >> (64 - model->long_bits);
  for (size_t step = 0; step < slots; step++, slot = (slot + 1) & (slots - 1)) {
    if (model->long_ids[slot] == 0)
      break;
    uint32_t id = model->long_ids[slot] - 1;
    bpe_token token = bpe_token_bytes(model, id);
    if (token.size == size && memcmp(token.bytes, bytes, size) == 0)
      return id;
  }
  return BPE_NONE;
}
