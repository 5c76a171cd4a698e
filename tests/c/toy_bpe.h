/* toy_bpe.h: a tokenizer model of a few tokens, laid out as docs/tokenizer.md says. Byte b is id
 * 255 - b; then come `merged`, whose ids are their ranks, `whole`, a gap, and the special tokens.
 * It also has a check that counts failures. */
#include "cookbook.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;

#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition) && failures++ < 20)                                                           \
      printf("line %d: %s\n", __LINE__, #condition);                                               \
  } while (0)

enum { N_IDS = 280, N_TOKENS = 271, N_SPECIAL = 3, BLOB = 5 << 16 };

static const char *const merged[] = {"he",   "ll",       "llo",        "hello",       " w",
                                     "aa",   "aaaa",     "bc",         "ab",          "abc",
                                     "\r\n", "\xc3\xa9", "aaaaaaaaaa", "\xc5\xbf\xcc"};
static const char *const whole = "abcdefghijklmnopqrst"; /* a token that no merges make */
static const char *const special[N_SPECIAL] = {"<|e|>x", "<|e|>", "he"};

static uint8_t tokens[N_IDS][32];
static size_t sizes[N_IDS];
static uint64_t *blob;

static void define(uint32_t id, const void *bytes, size_t size) {
  memcpy(tokens[id], bytes, size);
  sizes[id] = size;
}

static uint32_t id_of(const uint8_t *bytes, size_t size) {
  for (uint32_t id = 0; id < N_TOKENS; id++)
    if (sizes[id] == size && memcmp(tokens[id], bytes, size) == 0)
      return id;
  return UINT32_MAX;
}

/* Start the next section and write its offset into the header. */
static void *section(size_t *at, size_t header, size_t size) {
  *at = (*at + 63) / 64 * 64;
  blob[header / 8] = *at;
  void *place = (uint8_t *)blob + *at;
  *at += size;
  return place;
}

static void make_classes(size_t *at) {
  uint16_t *index = section(at, 48, 8704 * 2);
  uint8_t *blocks = section(at, 56, 6 * 128);
  index[0] = 1, index[1] = 2, index[2] = 3, index[6] = 4, index[0x4E00 >> 7] = 5;
  for (int c = 0; c < 26; c++)
    blocks[128 + 'A' + c] = 1, blocks[128 + 'a' + c] = 2;
  memset(&blocks[128 + '0'], 5, 10);
  memset(blocks + 128 + 9, 6, 5);
  blocks[128 + ' '] = 6;
  blocks[256 + 0x20] = 6, blocks[256 + 0x69] = 2; /* U+00A0, e acute */
  blocks[3 * 128 + 0x7F] = 2;                     /* U+017F */
  memset(blocks + 4 * 128, 4, 0x70);              /* U+0300: marks */
  memset(blocks + 5 * 128, 3, 128);               /* U+4E00 */
}

static void make_tables(size_t *at) {
  const uint64_t k1 = 0x9E3779B97F4A7C15u, k2 = 0xC2B2AE3D27D4EB4Fu;
  uint32_t *byte_ids = section(at, 64, 256 * 4);
  uint64_t (*keys)[2] = section(at, 72, 1024 * 16);
  uint32_t *ids = section(at, 80, 1024 * 4), *longs = section(at, 88, 2 * 4);
  uint64_t *pairs = section(at, 96, 128 * 8);
  uint32_t *byte_pairs = section(at, 136, 256 * 256 * 4);
  uint8_t *filter = section(at, 144, 128 / 2);
  for (uint32_t b = 0; b < 256; b++)
    byte_ids[b] = 255 - b;
  for (uint32_t id = 0; id < 270; id++) {
    uint64_t key[2] = {0};
    memcpy(key, tokens[id], sizes[id]);
    key[1] |= (uint64_t)sizes[id] << 56;
    size_t slot = (key[0] * k1 + key[1] * k2) >> 54;
    while (keys[slot][1])
      slot = (slot + 1) % 1024;
    memcpy(keys[slot], key, 16);
    ids[slot] = id;
  }
  uint64_t hash = 20, word[3] = {0};
  memcpy(word, whole, 20);
  for (int i = 0; i < 3; i++) {
    hash = (hash ^ word[i]) * k1;
    hash ^= hash >> 32;
  }
  longs[hash >> 63] = 270 + 1;
  memset(pairs, 0xFF, 128 * 8);
  memset(byte_pairs, 0xFF, 256 * 256 * 4);
  for (uint32_t id = 256; id < 270; id++)
    for (size_t cut = 1; cut < sizes[id]; cut++) {
      uint32_t left = id_of(tokens[id], cut), right = id_of(tokens[id] + cut, sizes[id] - cut);
      if (left == UINT32_MAX || right == UINT32_MAX)
        continue;
      uint64_t key = (uint64_t)left << 21 | right;
      size_t slot = key * k1 >> 57, bit = key * k1 >> 55;
      while (pairs[slot] != UINT64_MAX)
        slot = (slot + 1) % 128;
      pairs[slot] = key << 21 | id;
      filter[bit / 8] |= (uint8_t)(1 << bit % 8);
      if (sizes[id] == 2)
        byte_pairs[tokens[id][0] << 8 | tokens[id][1]] = id;
    }
}

static void make_model(void) {
  for (uint32_t b = 0; b < 256; b++)
    define(255 - b, &(uint8_t){(uint8_t)b}, 1);
  for (uint32_t i = 0; i < 14; i++)
    define(256 + i, merged[i], strlen(merged[i]));
  define(270, whole, 20);
  for (uint32_t i = 0; i < N_SPECIAL; i++)
    define(275 + i, special[i], strlen(special[i]));

  blob = calloc(1, BLOB);
  size_t at = 192;
  make_classes(&at);
  make_tables(&at);
  uint8_t *defined = section(&at, 104, N_IDS);
  uint32_t *offsets = section(&at, 112, (N_IDS + 1) * 4);
  uint32_t *special_ids = section(&at, 128, N_SPECIAL * 4);
  uint8_t *bytes = section(&at, 120, 1024);
  section(&at, 152, 0); /* ranks are ids */
  section(&at, 176, 0); /* no automaton */
  for (uint32_t id = 0; id < N_IDS; id++) {
    defined[id] = sizes[id] == 0 ? 0 : id < N_TOKENS ? 1 : 2;
    memcpy(bytes + offsets[id], tokens[id], sizes[id]);
    offsets[id + 1] = offsets[id] + (uint32_t)sizes[id];
  }
  uint32_t *prefixes = section(&at, 160, N_SPECIAL * 4);
  memcpy(special_ids, (uint32_t[]){276, 275, 277}, 12);
  memcpy(prefixes, (uint32_t[]){UINT32_MAX, 0, UINT32_MAX}, 12);
  memcpy(blob, "ckbpe\0\0\3", 8);
  blob[1] = BLOB;
  memcpy(blob + 2, (uint32_t[]){1, 3, N_IDS, N_SPECIAL, 10, 1, 7, 6}, 32);
  if (at > BLOB)
    abort();
}

static ck_bpe *open_model(uint32_t options) {
  ck_error error;
  ck_bpe *model = ck_bpe_open((const uint8_t *)blob, BLOB, options, &error);
  if (!model)
    abort();
  return model;
}
