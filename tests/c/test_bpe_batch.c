/* test_bpe_batch.c: ck_bpe_encode_batch gives the ids of the single texts, on any number of
 * threads, which may finish in any order. */
#include "toy_bpe.h"

static ck_bpe *model, *uncached;

enum { N = 9000, PER = 8, LONG = 300000 };

static const uint8_t *texts[N];
static size_t text_sizes[N];

/* Texts of a few bytes, and after the 5000th one that exceeds the waiting memory. */
static size_t make_texts(uint8_t *memory) {
  size_t bytes = 0;
  for (size_t i = 0; i < N * PER + LONG; i++)
    memory[i] = (uint8_t)"hello aaaa b!"[i * i % 13];
  for (size_t i = 0; i < N; i++) {
    texts[i] = memory + bytes;
    text_sizes[i] = i == 5000 ? LONG : PER - 1 + i % 3;
    bytes += text_sizes[i];
  }
  return bytes;
}

/* Both texts are wrong: the error is the first one's. */
static void spoil(uint8_t *memory, int threads) {
  static int64_t id_offsets[N + 1];
  ck_error error;
  uint8_t *bad[] = {memory + (texts[8000] - memory) + 1, memory + (texts[3000] - memory) + 2},
          good[] = {*bad[0], *bad[1]};
  *bad[0] = *bad[1] = 0xFF;
  CHECK(ck_bpe_encode_batch(model, &(ck_texts){texts, text_sizes, N}, NULL, &(ck_buffer){0},
                            id_offsets, threads, NULL, &error) == CK_UTF8);
  CHECK(error.record == 3000 && error.offset == 2);
  *bad[0] = good[0], *bad[1] = good[1];
}

/* Check for the ids of single texts, on any number of threads and with any capacity. */
static void test_batch(void) {
  static int64_t id_offsets[N + 1], counts[N + 1];
  static uint8_t memory[N * PER + LONG];
  ck_error error;
  size_t bytes = make_texts(memory), n = 0;
  uint32_t *ids = malloc(bytes * 4), *first = malloc(bytes * 4);
  for (int threads = 1; threads <= 4; threads++) {
    for (int round = 0; round < 20; round++) {
      memset(ids, 0xFF, bytes * 4);
      CHECK(ck_bpe_encode_batch(model, &(ck_texts){texts, text_sizes, N}, NULL,
                                &(ck_buffer){ids, bytes, 0}, id_offsets, threads, NULL,
                                &error) == CK_OK);
      n = (size_t)id_offsets[N];
      if (threads == 1)
        memcpy(first, ids, n * 4);
      CHECK(memcmp(first, ids, n * 4) == 0);
      CHECK(ck_bpe_encode_batch(model, &(ck_texts){texts, text_sizes, N}, NULL, &(ck_buffer){0},
                                counts, threads, NULL, &error) == CK_OK);
      CHECK(memcmp(counts, id_offsets, sizeof counts) == 0);
    }
    for (size_t i = 0; i < N; i += 7) { /* omits the long text */
      uint32_t alone[PER + 2];
      ck_buffer room = {alone, PER + 2, 0};
      CHECK(ck_bpe_encode(uncached, texts[i], text_sizes[i], NULL, &room, NULL, &error) == CK_OK);
      CHECK(id_offsets[i] + (int64_t)room.n == id_offsets[i + 1]);
      CHECK(memcmp(ids + id_offsets[i], alone, room.n * 4) == 0);
    }
    uint32_t *tight = malloc((n - 1) * 4);
    CHECK(ck_bpe_encode_batch(model, &(ck_texts){texts, text_sizes, N}, NULL,
                              &(ck_buffer){tight, n - 1, 0}, id_offsets, threads, NULL,
                              &error) == CK_CAPACITY);
    free(tight);
    CHECK(error.expected == (int64_t)n && error.actual == (int64_t)n - 1 && error.record == 0);
    for (int round = 0; round < 20; round++)
      spoil(memory, threads);
  }
  CHECK(ck_bpe_encode_batch(model, &(ck_texts){0}, NULL, &(ck_buffer){0}, id_offsets, 2, NULL,
                            &error) == CK_OK &&
        id_offsets[0] == 0);
  free(ids), free(first);
}

int main(void) {
  make_model();
  model = open_model(0), uncached = open_model(CK_UNCACHED);
  test_batch();
  ck_bpe_close(model), ck_bpe_close(uncached);
  free(blob);
  printf("bpe_batch: %d failures\n", failures);
  return failures != 0;
}
