/* test_bpe_interrupt.c: a call that ends early, at any place and with any number of threads, leaves
 * only correct entries in the caches. */
#include "toy_bpe.h"

enum { SIZE = 1 << 18, TEXTS = 64, MIDDLE = 1500, LONG_AGO = 1 };

static ck_bpe *model, *uncached;
static uint8_t text[SIZE];
static uint32_t ids[SIZE], right[SIZE];
static ck_error error;

/* End the call at its `most`-th check. It checks as often as it can, since the time of its last
 * check is set to long ago. */
typedef struct {
  ck_interrupt interrupt;
  int asked, most;
} patience;

static int ask(void *context) {
  patience *p = context;
  p->interrupt.asked = LONG_AGO;
  return ++p->asked >= p->most;
}

static ck_interrupt *ending(patience *p, int most) {
  *p = (patience){{.ask = ask, .context = p, .asked = LONG_AGO}, 0, most};
  return &p->interrupt;
}

/* Make a text of words, or of a pretoken of any size that merges to the end. */
static void make_text(size_t pretoken) {
  for (size_t i = 0, left = 0; i < SIZE; i++, left--) {
    if (left == 0)
      left = pretoken;
    text[i] = left == pretoken ? ' ' : (uint8_t)"hellaabc"[i * i % 61 % 8];
  }
}

static int encode(ck_interrupt *interrupt, size_t *n) {
  const uint8_t *specials = (const uint8_t *)"\2\1\1";
  ck_buffer room = {ids, SIZE, 0};
  int code = ck_bpe_encode(model, text, SIZE, specials, &room, interrupt, &error);
  *n = room.n;
  return code;
}

/* End calls earlier and later, until one is completed. */
static void test_encode(size_t pretoken) {
  size_t n_right, n;
  patience p;
  make_text(pretoken);
  CHECK(encode(NULL, &n_right) == CK_OK);
  memcpy(right, ids, n_right * sizeof *ids);
  int code = CK_INTERRUPTED, most = 1;
  for (; code == CK_INTERRUPTED; most += 1 + most / 2) {
    code = encode(ending(&p, most), &n);
    CHECK(code == CK_OK || (error.code == CK_INTERRUPTED && n == 0 && p.asked == most));
    ck_bpe_close(model); /* so that only the interrupted call has filled the cache */
    model = open_model(0);
    CHECK(encode(ending(&p, most), &n) == code && encode(NULL, &n) == CK_OK);
    CHECK(n == n_right && memcmp(ids, right, n * sizeof *ids) == 0);
  }
  CHECK(code == CK_OK && most > 2);
}

/* Texts have all sizes; the last part is so long that the calling thread may wait for it. */
static void test_batch(int threads) {
  static int64_t offsets[TEXTS + 1], right_offsets[TEXTS + 1];
  const uint8_t *texts[TEXTS];
  size_t sizes[TEXTS], used = 0;
  patience p;
  make_text(MIDDLE);
  for (size_t i = 0; i < TEXTS; used += sizes[i++]) {
    texts[i] = text + used;
    sizes[i] = i + 1 < TEXTS ? 1 + i * i * 3 : SIZE - used;
  }
  CHECK(ck_bpe_encode_batch(uncached, &(ck_texts){texts, sizes, TEXTS}, NULL,
                            &(ck_buffer){right, SIZE, 0}, right_offsets, 1, NULL, &error) == CK_OK);
  int code = CK_INTERRUPTED;
  for (int most = 1; code == CK_INTERRUPTED; most += 1 + most / 2) {
    code =
        ck_bpe_encode_batch(model, &(ck_texts){texts, sizes, TEXTS}, NULL,
                            &(ck_buffer){ids, SIZE, 0}, offsets, threads, ending(&p, most), &error);
    CHECK(code == CK_OK || error.code == CK_INTERRUPTED);
    CHECK(ck_bpe_encode_batch(model, &(ck_texts){texts, sizes, TEXTS}, NULL,
                              &(ck_buffer){ids, SIZE, 0}, offsets, threads, NULL, &error) == CK_OK);
    CHECK(memcmp(offsets, right_offsets, sizeof offsets) == 0);
    CHECK(memcmp(ids, right, (size_t)offsets[TEXTS] * sizeof *ids) == 0);
  }
  CHECK(code == CK_OK);
}

int main(void) {
  make_model();
  model = open_model(0), uncached = open_model(CK_UNCACHED);
  const size_t pretokens[] = {1, 12, 40, MIDDLE, 5000, SIZE};
  for (size_t i = 0; i < sizeof pretokens / sizeof *pretokens; i++)
    test_encode(pretokens[i]);
  for (int threads = 1; threads <= 4; threads++)
    test_batch(threads);
  ck_bpe_close(model), ck_bpe_close(uncached);
  free(blob);
  printf("bpe_interrupt: %d failures\n", failures);
  return failures != 0;
}
