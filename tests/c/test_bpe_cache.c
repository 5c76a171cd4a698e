/* test_bpe_cache.c: the tokenizer's cache holds correct ids for pretokens of every kind, even after
 * the table has grown and while its overflow wraps around. */
#include "bpe/bpe.h"
#include "toy_bpe.h"

#include <pthread.h>

static ck_bpe *uncached;

/* ---- every kind of pretoken ---- */

enum { KINDS = 7, FIRST_SEED = 7 };

/* Words of `least` to `most` bytes, including the space before them, made of these letters. The
 * kinds differ in what the cache stores of them, and where. */
static const struct {
  size_t least, most;
  const char *letters;
} kinds[KINDS] = {
    {2, 4, "aaaabch"},          /* up to three ids, in the table */
    {6, 15, "xyzuvw"},          /* one id for each byte, in the overflow */
    {16, 18, "aaaaaaaaaab"},    /* bytes and a few ids in the overflow */
    {16, 40, "xyzuvw"},         /* bytes and as many ids */
    {60, 70, "abcdefgh"},       /* more than 32 bytes are merged in rows */
    {500, 2048, "abcdefghxyz"}, /* up to 2048 bytes are cached, */
    {2040, 2060, "xyzuvw"},     /* more are not */
};

typedef struct {
  const uint8_t *bytes;
  size_t size, kind;
} word;

static uint32_t seed = FIRST_SEED;

static uint32_t random_below(uint32_t n) {
  seed = seed * 1664525u + 1013904223u;
  return (uint32_t)((uint64_t)seed * n >> 32);
}

static word make_word(uint8_t *bytes, size_t kind) {
  size_t n_letters = strlen(kinds[kind].letters);
  word w = {bytes, kinds[kind].least, kind};
  w.size += random_below((uint32_t)(kinds[kind].most - kinds[kind].least + 1));
  bytes[0] = ' ';
  for (size_t i = 1; i < w.size; i++)
    bytes[i] = (uint8_t)kinds[kind].letters[random_below((uint32_t)n_letters)];
  return w;
}

static bpe_key key_of(word w) {
  uint8_t padded[16] = {0};
  if (w.size > BPE_SHORT)
    return bpe_long_key(w.bytes, w.size);
  memcpy(padded, w.bytes, w.size);
  return bpe_short_key(padded, w.size);
}

/* The ids without a cache. */
static size_t ids_alone(word w, uint32_t *ids) {
  ck_error error;
  ck_buffer room = {ids, w.size, 0};
  CHECK(ck_bpe_encode(uncached, w.bytes, w.size, NULL, &room, NULL, &error) == CK_OK);
  return room.n;
}

/* Check the ids of the words that are cached, and count these by kind. */
static void check_words(const bpe_scratch *scratch, const word *words, size_t n_words,
                        size_t n_cached[KINDS]) {
  static uint32_t want[4096], got[4096];
  for (size_t i = 0; i < n_words; i++) {
    word w = words[i];
    uint8_t other[4096];
    size_t n = bpe_cache_get(scratch, key_of(w), w.bytes, w.size, got);
    if (n == 0)
      continue;
    n_cached[w.kind]++;
    CHECK(n == ids_alone(w, want) && memcmp(got, want, 4 * n) == 0);
    memcpy(other, w.bytes, w.size);
    other[w.size - 1] ^= 1; /* a long pretoken with the same hash is another one */
    CHECK(w.size <= BPE_SHORT || bpe_cache_get(scratch, key_of(w), other, w.size, got) == 0);
  }
}

/* Encode a text of `n` words repeatedly: share[k] of them are of kind k, and the cache's overflow
 * has received `written` words before. Its ids and the cached ids must be the same each time. */
static void test_kinds(size_t n, const uint32_t share[KINDS], const size_t least[KINDS],
                       uint64_t written) {
  uint32_t all = 0;
  size_t size = 0, most = 0, n_cached[KINDS] = {0};
  ck_error error;
  ck_bpe *model = open_model(0);
  word *words = malloc(n * sizeof *words);
  for (size_t k = 0; k < KINDS; k++) {
    all += share[k];
    most = share[k] && kinds[k].most > most ? kinds[k].most : most;
  }
  uint8_t *text = malloc(n * most);
  for (size_t i = 0; i < n; i++, size += words[i - 1].size) {
    uint32_t of = random_below(all), kind = 0;
    for (; of >= share[kind]; kind++)
      of -= share[kind];
    words[i] = make_word(text + size, kind);
  }
  uint32_t *first = malloc(size * 4), *again = malloc(size * 4);
  ck_buffer first_room = {first, size, 0}, again_room = {again, size, 0};
  CHECK(ck_bpe_encode(uncached, text, size, NULL, &first_room, NULL, &error) == CK_OK);
  bpe_scratch *scratch = bpe_pool_take(&model->pool);
  scratch->n_overflow = written;
  bpe_pool_put(&model->pool, scratch);
  for (int round = 0; round < 3; round++) {
    CHECK(ck_bpe_encode(model, text, size, NULL, &again_room, NULL, &error) == CK_OK);
    CHECK(again_room.n == first_room.n && memcmp(again, first, 4 * first_room.n) == 0);
    check_words(scratch, words, n, n_cached);
  }
  for (size_t k = 0; k < KINDS; k++)
    CHECK(n_cached[k] >= least[k] && (k < KINDS - 1 || n_cached[k] < n));
  ck_bpe_close(model);
  free(words), free(text), free(first), free(again);
}

/* ---- a text that changes while it is encoded ---- */

enum { WORDS = 96, WORD = 32, AT = 3 /* the byte of each word that changes */ };

static uint8_t changing[WORDS * WORD];
static int stop;

static void *change(void *unused) {
  (void)unused;
  for (uint8_t turn = 0; !__atomic_load_n(&stop, __ATOMIC_RELAXED); turn ^= 1)
    for (size_t i = 0; i < WORDS; i++)
      __atomic_store_n(&changing[i * WORD + AT], "ab"[turn], __ATOMIC_RELAXED);
  return NULL;
}

/* The cache stays correct even if the bytes of a pretoken change during a look-up: afterwards each
 * word has the ids that it has without a cache. */
static void test_changing_text(void) {
  pthread_t thread;
  ck_error error;
  uint32_t seed = 7, ids[WORDS * WORD], want[WORD], got[WORD];
  if (pthread_create(&thread, NULL, change, NULL) != 0)
    return;
  for (int round = 0; round < 80; round++) {
    for (size_t i = 0; i < WORDS * WORD; i++, seed = seed * 1664525u + 1013904223u)
      if (i % WORD != AT) /* words of 7 bytes and of 31, a space between them */
        changing[i] = i % WORD == 0 || (i / WORD % 2 && i % WORD == 8) ? ' ' : "abch"[seed >> 30];
    ck_bpe *model = open_model(0);
    ck_buffer room = {ids, WORDS * WORD, 0}, want_room = {want, WORD, 0}, got_room = {got, WORD, 0};
    ck_bpe_encode(model, changing, sizeof changing, NULL, &room, NULL, &error);
    for (size_t i = 0; i < 2 * WORDS; i++) {
      uint8_t word[WORD];
      memcpy(word, changing + i / 2 * WORD, WORD);
      word[AT] = "ab"[i % 2];
      size_t size = i / 2 % 2 ? 8 : WORD;
      ck_bpe_encode(uncached, word, size, NULL, &want_room, NULL, &error);
      ck_bpe_encode(model, word, size, NULL, &got_room, NULL, &error);
      CHECK(got_room.n == want_room.n && memcmp(got, want, got_room.n * sizeof *got) == 0);
    }
    ck_bpe_close(model);
  }
  __atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
  pthread_join(thread, NULL);
}

int main(void) {
  make_model();
  uncached = open_model(CK_UNCACHED);
  test_kinds(2000, (uint32_t[]){1, 1, 1, 1, 1, 1, 1}, (size_t[]){700, 700, 700, 700, 700, 500, 1},
             ((uint64_t)1 << 32) - 100000);
  test_kinds(400000, (uint32_t[]){2, 10, 10, 10, 1, 0, 0}, /* the capacity of the table */
             (size_t[]){9000, 9000, 9000, 9000, 900, 0, 0}, 0);
  test_kinds(6000, (uint32_t[]){1, 1, 1, 1, 1, 4, 1}, /* more than the capacity of the overflow */
             (size_t[]){1500, 500, 500, 500, 500, 500, 1}, 0);
  test_changing_text();
  ck_bpe_close(uncached);
  free(blob);
  printf("bpe_cache: %d failures\n", failures);
  return failures != 0;
}
