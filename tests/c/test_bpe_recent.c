/* What the tokenizer remembers of pieces: true whatever happens. */
#include "cookbook.h"
#include "toy_bpe.h"

#include <pthread.h>
#include <stdio.h>

static ck_bpe model;
static int failures;

#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition) && failures++ < 20)                                                           \
      printf("line %d: %s\n", __LINE__, #condition);                                               \
  } while (0)

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

/* What is remembered of a piece is true, whatever its bytes became while it was looked up: afterwards
 * each word has the ids that it has where nothing is remembered. */
static void test_changing_text(void) {
  pthread_t thread;
  size_t n;
  ck_error error;
  uint32_t seed = 7, ids[WORDS * WORD], want[WORD], got[WORD];
  if (pthread_create(&thread, NULL, change, NULL) != 0)
    return;
  for (int round = 0; round < 80; round++) {
    for (size_t i = 0; i < WORDS * WORD; i++, seed = seed * 1664525u + 1013904223u)
      if (i % WORD != AT) /* words of 7 bytes and of 31, a space between them */
        changing[i] = i % WORD == 0 || (i / WORD % 2 && i % WORD == 8) ? ' ' : "abch"[seed >> 30];
    ck_bpe_pool fresh = {{NULL}};
    ck_bpe_encode(&model, changing, sizeof changing, NULL, ids, WORDS * WORD, &n, &fresh, &error);
    for (size_t i = 0; i < 2 * WORDS; i++) {
      uint8_t word[WORD];
      memcpy(word, changing + i / 2 * WORD, WORD);
      word[AT] = "ab"[i % 2];
      size_t size = i / 2 % 2 ? 8 : WORD, n_want;
      ck_bpe_encode(&model, word, size, NULL, want, WORD, &n_want, NULL, &error);
      ck_bpe_encode(&model, word, size, NULL, got, WORD, &n, &fresh, &error);
      CHECK(n == n_want && memcmp(got, want, n * sizeof *got) == 0);
    }
    ck_bpe_pool_free(&fresh);
  }
  __atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
  pthread_join(thread, NULL);
}

int main(void) {
  make_model();
  CHECK(ck_bpe_open(&model, (uint8_t *)blob, BLOB) == CK_OK);
  test_changing_text();
  free(blob);
  printf("bpe_recent: %d failures\n", failures);
  return failures != 0;
}
