/* bpe.h: what the tokenizer's files share. docs/tokenizer.md is the specification. */
#ifndef COOKBOOK_BPE_H
#define COOKBOOK_BPE_H

#include "cookbook.h"

#include <string.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the model is little-endian, and so must the machine be"
#endif

#define BPE_HIDDEN __attribute__((visibility("hidden")))

#define BPE_K1 0x9E3779B97F4A7C15u
#define BPE_K2 0xC2B2AE3D27D4EB4Fu
#define BPE_NONE UINT32_MAX /* no id, no rank */

/* ---- model.c: the tables ---- */

enum { BPE_SHORT = 15 }; /* bytes of the longest token of the short table */

/* A piece of up to BPE_SHORT bytes as the tables keep it: its bytes, zeros, its size as byte 16. A
 * longer piece has one made of a hash and its size (bpe_long_key), which equals none of these. */
typedef struct {
  uint64_t lo, hi;
} bpe_key;

typedef struct {
  const uint8_t *bytes;
  size_t size;
} bpe_token;

BPE_HIDDEN uint64_t bpe_long_hash(const uint8_t *bytes, size_t size);
BPE_HIDDEN uint32_t bpe_long_id(const ck_bpe *model, uint64_t hash, const uint8_t *bytes,
                                size_t size);
BPE_HIDDEN bpe_token bpe_token_bytes(const ck_bpe *model, uint32_t id); /* size 0: no such token */

static inline uint64_t bpe_load64(const uint8_t *bytes) {
  uint64_t word;
  memcpy(&word, bytes, 8);
  return word;
}

static inline uint64_t bpe_key_hash(bpe_key key) { return key.lo * BPE_K1 + key.hi * BPE_K2; }

static inline uint32_t bpe_short_probe(const ck_bpe *model, bpe_key key) {
  size_t slots = (size_t)1 << model->short_bits;
  size_t slot = bpe_key_hash(key) >> (64 - model->short_bits);
  for (size_t step = 0; step < slots; step++, slot = (slot + 1) & (slots - 1)) {
    const uint8_t *entry = model->short_keys + 16 * slot;
    if (bpe_load64(entry) == key.lo && bpe_load64(entry + 8) == key.hi)
      return model->short_ids[slot];
    if (entry[15] == 0)
      break;
  }
  return BPE_NONE;
}

/* The key of bytes[0 .. size], 0 < size <= BPE_SHORT; 16 bytes may be read there. */
static inline bpe_key bpe_short_key(const uint8_t *bytes, size_t size) {
  static const uint64_t masks[16][2] = {{0, 0},
                                        {0xFF, 0},
                                        {0xFFFF, 0},
                                        {0xFFFFFF, 0},
                                        {0xFFFFFFFF, 0},
                                        {0xFFFFFFFFFF, 0},
                                        {0xFFFFFFFFFFFF, 0},
                                        {0xFFFFFFFFFFFFFF, 0},
                                        {~0ull, 0},
                                        {~0ull, 0xFF},
                                        {~0ull, 0xFFFF},
                                        {~0ull, 0xFFFFFF},
                                        {~0ull, ~0u},
                                        {~0ull, 0xFFFFFFFFFF},
                                        {~0ull, 0xFFFFFFFFFFFF},
                                        {~0ull, 0xFFFFFFFFFFFFFF}};
  return (bpe_key){bpe_load64(bytes) & masks[size][0],
                   (bpe_load64(bytes + 8) & masks[size][1]) | (uint64_t)size << 56};
}

static inline bpe_key bpe_long_key(const uint8_t *bytes, size_t size) {
  return (bpe_key){bpe_long_hash(bytes, size), size | (uint64_t)(BPE_SHORT + 1) << 56};
}

/* ---- interrupt.c ---- */

/* Remember that this thread, which a caller waits for, is the one that asks. */
BPE_HIDDEN void bpe_asks(const ck_bpe *model);
BPE_HIDDEN int bpe_interrupted(ck_interrupt *interrupt);

/* Whether the call is to end: its results are then of no use, and nothing of them is remembered. To
 * be looked at every few microseconds. Once it is true it stays so. */
static inline int bpe_stopped(const ck_bpe *model) {
  return __builtin_expect(model->interrupt != NULL, 0) && bpe_interrupted(model->interrupt);
}

/* Return the code of a call that comes to its end with `code`. */
BPE_HIDDEN int bpe_ended(const ck_bpe *model, int code, ck_error *error);

/* ---- utf8.c ---- */

/* The offset of the first byte of the first bad sequence, or `size`. */
BPE_HIDDEN size_t bpe_utf8(const uint8_t *text, size_t size);
/* The same for a text that can be so long that the call is ended meanwhile. */
BPE_HIDDEN size_t bpe_valid(const ck_bpe *model, const uint8_t *text, size_t size);

/* ---- scan.c ---- */

/* What to ask bpe_pieces for at a time: it fills at least 64 of them less. */
enum { BPE_BLOCK = 256 };
/* The ends of the next pieces of text[at .. end], at most `capacity` >= 64; how many, at least one
 * where at < end. */
BPE_HIDDEN size_t bpe_pieces(const ck_bpe *model, const uint8_t *text, size_t at, size_t end,
                             size_t *ends, size_t capacity);

/* ---- merge.c ---- */

enum { BPE_SMALL = 32 }; /* a piece of at most so many bytes is merged in an array */

/* Merges bytes[0 .. size], 0 < size <= BPE_SMALL, into ids; how many. Room for eight more is
 * needed behind them. */
BPE_HIDDEN size_t bpe_merge_small(const ck_bpe *model, const uint8_t *bytes, size_t size,
                                  uint32_t ids[]);

/* ---- chunks.c ---- */

/* Merges a piece of any size. Writes the first `capacity` ids. 0: out of memory, or the call is to
 * end. */
BPE_HIDDEN size_t bpe_merge_long(const ck_bpe *model, const uint8_t *bytes, size_t size,
                                 uint32_t *ids, size_t capacity);

/* ---- special.c ---- */

enum { BPE_LONGEST_SPECIAL = 1024 }; /* bytes */

/* Check the order of the special tokens and fill in what all of them begin with. Return 0 if the
 * tables are wrong. */
BPE_HIDDEN int bpe_specials_prepare(ck_bpe *model);

/* Finds those special tokens whose entry in `specials` is `wanted`. */
typedef struct {
  const ck_bpe *model;
  const uint8_t *specials;
  uint8_t wanted;
  int any; /* 0: there are none */
} bpe_finder;

static inline bpe_finder bpe_finder_make(const ck_bpe *model, const uint8_t *specials,
                                         uint8_t wanted) {
  int any = specials && model->special_prefix > 0 && memchr(specials, wanted, model->n_special);
  return (bpe_finder){model, specials, wanted, any};
}

BPE_HIDDEN size_t bpe_find_any(const bpe_finder *finder, const uint8_t *text, size_t at,
                               size_t size, uint32_t *number, size_t *token_size);

/* The leftmost occurrence from `at` on, of the longest token there: its offset, its number and its
 * size. Offset `size` when there is none. */
static inline size_t bpe_find(const bpe_finder *finder, const uint8_t *text, size_t at, size_t size,
                              uint32_t *number, size_t *token_size) {
  return finder->any ? bpe_find_any(finder, text, at, size, number, token_size) : size;
}

/* ---- recent.c ---- */

enum { BPE_FIRST_BITS = 9, BPE_LAST_BITS = 16, BPE_FEW_IDS = 3 };
enum { BPE_KEPT = 3 << 19, BPE_KEPT_BYTES = 1 << 11, BPE_WAITING = 3 << 16 };

/* The ids of a piece. */
typedef struct {
  uint32_t ids[BPE_FEW_IDS]; /* or, where there are more, their place in `kept` */
  uint32_t n;                /* BPE_LONG added: of a piece longer than BPE_SHORT */
} bpe_recent;

enum { BPE_LONG = 1 << 30 };

/* A line of the processor's cache: two pieces. A key is all zero where there is none. */
typedef struct {
  bpe_key keys[2];
  bpe_recent of[2];
} bpe_line;

/* What one thread remembers of one model's pieces: a table of bounded size, a newer piece in an older
 * one's place. A piece belongs into one line or into the one beside it. What does not fit into a
 * line (more ids, the bytes of a long piece) is in `kept`, where the newest overwrites the oldest. */
typedef struct {
  bpe_line lines[2 << BPE_LAST_BITS];
  uint32_t kept[BPE_KEPT + BPE_SHORT]; /* so that as many can be copied from any place */
  uint64_t n_kept;                     /* words ever written */
  size_t n_recent, n_grown;
  uint32_t waiting[BPE_WAITING]; /* ids of a batch whose place is not yet known */
  void *memory;                  /* which this lies in */
} bpe_scratch;

static inline size_t bpe_recent_bits(const bpe_scratch *scratch) {
  return BPE_FIRST_BITS + scratch->n_grown;
}

/* The number of a key's line, when there are 2 << bits of them. */
static inline size_t bpe_line_of(bpe_key key, size_t bits) {
  return bpe_key_hash(key) >> (63 - bits);
}

static inline int bpe_same(bpe_key a, bpe_key b) { return ((a.lo ^ b.lo) | (a.hi ^ b.hi)) == 0; }

/* What `recent` has in `kept`, or NULL if it is no longer there. */
static inline const uint32_t *bpe_kept(const bpe_scratch *scratch, const bpe_recent *recent) {
  uint64_t place = recent->ids[0] | (uint64_t)recent->ids[1] << 32;
  return scratch->n_kept - place <= BPE_KEPT ? scratch->kept + place % BPE_KEPT : NULL;
}

/* The ids that `recent` has in `kept`, the piece being bytes[0 .. size]; how many. 0: they are no
 * longer there, or the piece is another one. */
BPE_HIDDEN size_t bpe_kept_ids(const bpe_scratch *scratch, const bpe_recent *recent,
                               const uint8_t *bytes, size_t size, uint32_t *ids);

/* The ids of a piece, which is bytes[0 .. size]; how many, 0 if they are not remembered. */
BPE_HIDDEN size_t bpe_recall(const bpe_scratch *scratch, bpe_key key, const uint8_t *bytes,
                             size_t size, uint32_t *ids);

/* Whether a piece of this key was remembered. */
static inline int bpe_remembers(const bpe_scratch *s, bpe_key key) {
  size_t line = bpe_line_of(key, bpe_recent_bits(s));
  const bpe_key *own = s->lines[line].keys, *beside = s->lines[line ^ 1].keys;
  return bpe_same(own[0], key) || bpe_same(own[1], key) || bpe_same(beside[0], key) ||
         bpe_same(beside[1], key);
}

/* The bytes must be those of the key, and nobody may change them meanwhile. */
BPE_HIDDEN void bpe_remember(bpe_scratch *scratch, bpe_key key, const uint8_t *bytes, size_t size,
                             const uint32_t *ids, size_t n);

/* Begins with a small table, so that little memory is touched. */
BPE_HIDDEN void bpe_recent_clear(bpe_scratch *scratch);

/* Gives a table that fills up twice the room, if it can have that. Entries move. */
BPE_HIDDEN void bpe_recent_grow(bpe_scratch *scratch);

/* ---- block.c ---- */

/* Pieces in a row: piece i is text[bounds[i] .. bounds[i + 1]]. With room for seven more. */
enum { BPE_ROOM = BPE_BLOCK + 8 };
typedef struct {
  size_t n, bounds[BPE_ROOM + 1];
  bpe_key keys[BPE_ROOM] __attribute__((aligned(64)));
  uint32_t lines[BPE_ROOM]; /* bytes from the table's first line */
} bpe_block;

/* Fills in keys and, unless `scratch` is NULL, lines, and has the lines fetched. `size` bytes of text may be read. */
BPE_HIDDEN void bpe_look_ahead(const bpe_scratch *scratch, bpe_block *block, const uint8_t *text,
                               size_t size);

/* Copies the ids of the pieces from `first` on to where *ids points, which moves on, as long as
 * they are remembered and at most BPE_SHORT each. The first piece of which that is not true, or
 * `end`; scratch may be NULL. Writes up to BPE_SHORT words behind the ids. */
BPE_HIDDEN size_t bpe_take(const bpe_scratch *scratch, const bpe_block *block, const uint8_t *text,
                           size_t first, size_t end, uint32_t **ids);

/* ---- encode.c ---- */

/* One thread's encoding: where ids go, as many as fit, while `n` counts them all. */
typedef struct {
  const ck_bpe *model;
  const bpe_finder *refused, *allowed;
  uint32_t *ids;
  size_t capacity, n;
  bpe_scratch *scratch; /* or NULL */
} bpe_encoder;

/* One text with its special tokens, `record` being its number. */
BPE_HIDDEN int bpe_encode_text(bpe_encoder *encoder, const uint8_t *text, size_t size,
                               int64_t record, ck_error *error);

/* The ids of the pieces [i, end) of a block whose keys are filled in. */
BPE_HIDDEN int bpe_put_pieces(bpe_encoder *encoder, const uint8_t *text, const bpe_block *block,
                              size_t i, size_t end, ck_error *error);

/* ---- learn.c ---- */

/* Remembers pieces of a block, from `i` on, that have more than BPE_SMALL bytes; the first that was not
 * looked at. The encoder has a scratch. */
BPE_HIDDEN size_t bpe_learn(bpe_encoder *encoder, const uint8_t *text, const bpe_block *block,
                            size_t i);

/* ---- few.c ---- */

/* The first of n texts, which are so short that they are sooner done together: how many, and where
 * the ids of each end. 0: the first is to be encoded by itself. */
enum { BPE_FEW_TEXTS = 64 };
BPE_HIDDEN size_t bpe_encode_few(bpe_encoder *encoder, const uint8_t *const *texts,
                                 const size_t *sizes, size_t n, int64_t *ends);

/* ---- pool.c ---- */

BPE_HIDDEN bpe_scratch *bpe_pool_take(ck_bpe_pool *pool); /* NULL: do without */
BPE_HIDDEN void bpe_pool_give(ck_bpe_pool *pool, bpe_scratch *scratch);

/* Fills *error and returns its code. */
static inline int bpe_fail(ck_error *error, ck_code code, int64_t offset, int64_t record,
                           int64_t field, size_t expected, size_t actual) {
  *error = (ck_error){code, offset, record, field, (int64_t)expected, (int64_t)actual};
  return code;
}

#endif
