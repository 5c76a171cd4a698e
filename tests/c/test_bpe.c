/* test_bpe.c: ck_bpe_* on a model of a few tokens, made from the table in docs/tokenizer.md. It
 * checks splits written by hand, ids against the definition of merging, special tokens, every error
 * and every capacity. */
#include "toy_bpe.h"

static ck_bpe *model, *uncached;

/* ---- opening ---- */

static int opens(const uint8_t *bytes, size_t size) {
  ck_error error = {0};
  ck_bpe *opened = ck_bpe_open(bytes, size, 0, &error);
  ck_bpe_close(opened);
  CHECK(error.code == (opened ? CK_OK : CK_ARGUMENT));
  return opened != NULL;
}

static int opens_with(size_t at, uint8_t byte) {
  uint8_t *b = (uint8_t *)blob, before = b[at];
  b[at] = byte;
  int opened = opens(b, BLOB);
  b[at] = before;
  return opened;
}

static void test_open(void) {
  const uint8_t *bytes = (const uint8_t *)blob;
  CHECK(opens(bytes, BLOB) && !opens(bytes, BLOB - 64) && !opens(bytes + 4, BLOB));
  CHECK(ck_bpe_n_special(model) == N_SPECIAL);
  CHECK(opens_with(16, 3) && !opens_with(16, 4) && !opens_with(16, 0) && !opens_with(7, 1));
  CHECK(!opens_with(32, 0) && !opens_with(36, 31) && !opens_with(40, 30) && !opens_with(44, 0));
  /* ids, special tokens and ranks outside the blob */
  CHECK(!opens_with(27, 1) && !opens_with(31, 1) && !opens_with(171, 1));
  for (size_t header = 48; header < 168; header += 8) {
    CHECK(!opens_with(header, 1));     /* not aligned */
    CHECK(!opens_with(header + 3, 1)); /* outside the blob */
    CHECK(!opens_with(header + 7, 0x80));
  }
  CHECK(opens_with(blob[6], 5) && !opens_with(blob[6], 6));
  CHECK(opens_with(blob[7], 6) && !opens_with(blob[7], 7));
}

/* ---- calls ---- */

typedef struct {
  int code;
  size_t n;
  uint32_t ids[4096];
  ck_error error;
} result;

/* Every buffer has exactly the size it needs, so that sanitizers see an overrun. */
static void *exact(const void *data, size_t size) {
  void *copy = malloc(size + (size == 0));
  return data && size ? memcpy(copy, data, size) : copy;
}

static result encode(const char *text, size_t size, const uint8_t *specials, size_t capacity) {
  result r = {0};
  uint8_t *copy = exact(text, size);
  uint32_t *ids = exact(NULL, capacity * 4);
  ck_buffer room = {ids, capacity, 0};
  r.code = ck_bpe_encode(model, copy, size, specials, &room, NULL, &r.error);
  r.n = room.n;
  memcpy(r.ids, ids, (r.n < capacity ? r.n : capacity) * 4);
  free(copy), free(ids);
  return r;
}

static int is_error(result r, int64_t code, int64_t offset, int64_t record, int64_t field,
                    int64_t expected, int64_t actual) {
  ck_error want = {code, offset, record, field, expected, actual};
  return r.code == code && memcmp(&r.error, &want, sizeof want) == 0;
}

/* `expected` is the text with a | after each pretoken. */
static void split(uint32_t pattern, uint32_t max_digits, const char *expected) {
  char text[256];
  int64_t want[256];
  size_t size = 0, n_want = 0, n;
  ck_error error;
  for (const char *c = expected; *c; c++) {
    if (*c == '|')
      want[n_want++] = (int64_t)size;
    else
      text[size++] = *c;
  }
  blob[2] = pattern | (uint64_t)max_digits << 32;
  ck_bpe *m = open_model(0);
  uint8_t *copy = exact(text, size);
  int64_t *ends = exact(NULL, 8 * n_want);
  ck_buffer room = {ends, n_want, 0};
  int code = ck_bpe_split(m, copy, size, &room, NULL, &error);
  if (code != CK_OK || room.n != n_want || memcmp(ends, want, 8 * n_want) != 0)
    failures++, printf("pattern %u splits differently: %s\n", pattern, expected);
  room.capacity--;
  code = ck_bpe_split(m, copy, size, &room, NULL, &error);
  CHECK(code == CK_CAPACITY && room.n == n_want);
  CHECK(error.expected == (int64_t)n_want && error.actual == (int64_t)n_want - 1);
  ck_buffer counted = {NULL, n_want, 0};
  CHECK(ck_bpe_split(m, copy, size, &counted, NULL, &error) == CK_OK && counted.n == n_want);
  ck_bpe_close(m);
  free(copy), free(ends);
}

/* U+00A0 is \302\240, U+017F \305\277, the mark U+0301 \314\201, and U+4E00 \344\270\200. */
static void test_split(void) {
  split(1, 3, "hello| world|'s|'|S|'ll|  | 1234| !?|\n| x|");
  split(1, 3, "it|'re|'|Re| | x|  \n|");
  split(1, 3, "a|\t|b| |\302\240|c|  \302\240|");
  split(1, 3, "a|\314\201|b| \314\201!|\344\270\200\303\251|");
  split(2, 3, "I|'LL|'\305\277|y|'T|'Re|'x| y|\tz|!z|");
  split(2, 3, "123|456|7| |8|  | a| \n \n|  | x| !!\r\n\n| |");
  split(2, 1, "1|2|3|");
  split(2, 0, "1234567| |");
  split(2, 3, "\n|a|\314\201b|\n|\314\201\314\201|");
  split(3, 3, "Hello| World|ABC| HTMLPage's| x'LL|'| | y|");
  split(3, 3, "a\314\201b| \314\201ABa'\305\277|!//\n/\r|123|4|\n\n| B|");
  split(3, 3, "A\344\270\200BCd\344\270\200\314\201|E| \n| |");
  split(3, 3, "A\344\270\200|BC|!\n|\314\201|AB| |"); /* the last possible tail */
}

static void test_merge(void) {
  uint32_t state = 1, want[600];
  for (int round = 0; round < 3000; round++) {
    char text[600];
    const char *letters = round % 2 ? "aaabch" : "abcdefghlo";
    size_t size = round < 2800 ? 1 + (size_t)round % 30 : 50 + (size_t)round % 500;
    for (size_t i = 0; i < size; i++, state = state * 1664525u + 1013904223u)
      text[i] = letters[(state >> 16) % strlen(letters)];
    if (round % 7 == 0)
      memcpy(text, whole, size < 20 ? size : 20);
    if (round % 5 == 0)
      memset(text, 'a', size);
    result r = encode(text, size, NULL, size);
    CHECK(r.n == merge((uint8_t *)text, size, want) && memcmp(r.ids, want, 4 * r.n) == 0);
  }
}

static void test_specials(void) {
  const char *text = "hello<|e|>x<|e|>hello";
  result r = encode(text, 21, NULL, 21);
  CHECK(r.ids[0] == 259 && r.ids[r.n - 1] == 259);
  r = encode(text, 21, (const uint8_t *)"\1\1\0", 4);
  CHECK(r.n == 4 && memcmp(r.ids, (uint32_t[]){259, 275, 276, 259}, 16) == 0);
  r = encode(text, 21, (const uint8_t *)"\1\0\0", 5);
  CHECK(r.n == 5 && memcmp(r.ids, (uint32_t[]){259, 276, 255 - 'x', 276, 259}, 20) == 0);
  CHECK(is_error(encode(text, 21, (const uint8_t *)"\2\1\0", 21), CK_SPECIAL, 5, 0, 0, 0, 0));
  CHECK(is_error(encode(text, 21, (const uint8_t *)"\2\2\0", 21), CK_SPECIAL, 5, 0, 1, 0, 0));
  CHECK(is_error(encode(text, 21, (const uint8_t *)"\2\2\2", 21), CK_SPECIAL, 0, 0, 2, 0, 0));
  CHECK(encode("<|", 2, (const uint8_t *)"\1\1\1", 2).n == 2);
  r = encode("  <|e|>", 7, (const uint8_t *)"\1\0\0", 7); /* a stretch ends at a special token */
  CHECK(r.n == 3 && r.ids[2] == 276);
}

static void test_errors(void) {
  result r =
      encode("hello\xc3", 6, (const uint8_t *)"\0\0\2", 0); /* UTF8 is reported before the others */
  CHECK(is_error(r, CK_UTF8, 5, 0, -1, 0, 0));
  static const char *const bad[] = {"\x80",         "\xc1\xbf",         "\xe0\x9f\xbf",
                                    "\xed\xa0\x80", "\xf0\x8f\x80\x80", "\xf4\x90\x80\x80",
                                    "\xf5",         "\xe4\xb8|"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    CHECK(is_error(encode(bad[i], strlen(bad[i]), NULL, 9), CK_UTF8, 0, 0, -1, 0, 0));
  CHECK(is_error(encode("hello hello!", 12, NULL, 3), CK_CAPACITY, 0, 0, -1, 4, 3));

  ck_error error;
  ck_buffer counted = {0};
  const uint8_t *text = (const uint8_t *)"hello!";
  CHECK(ck_bpe_encode(uncached, text, 6, NULL, &counted, NULL, &error) == CK_OK && counted.n == 2);
  CHECK(ck_bpe_encode(model, NULL, 0, NULL, &counted, NULL, &error) == CK_OK && counted.n == 0);
}

static void test_decode(void) {
  uint32_t ids[] = {259, 276, 270, 255 - '!'};
  uint8_t out[31];
  ck_error error;
  ck_buffer counted = {0}, room = {out, 31, 0}, short_room = {out, 30, 0};
  CHECK(ck_bpe_decode(model, ids, 4, &counted, NULL, &error) == CK_OK && counted.n == 31);
  CHECK(ck_bpe_decode(model, ids, 4, &room, NULL, &error) == CK_OK && room.n == 31 &&
        memcmp(out, "hello<|e|>abcdefghijklmnopqrst!", 31) == 0);
  CHECK(ck_bpe_decode(model, ids, 4, &short_room, NULL, &error) == CK_CAPACITY &&
        short_room.n == 31 && error.expected == 31 && error.actual == 30);
  ids[2] = 273; /* in the gap */
  CHECK(ck_bpe_decode(model, ids, 4, &room, NULL, &error) == CK_UNKNOWN_ID && room.n == 0 &&
        error.record == 2 && error.actual == 273);
  ids[2] = N_IDS;
  CHECK(ck_bpe_decode(model, ids, 4, &room, NULL, &error) == CK_UNKNOWN_ID);
}

int main(void) {
  make_model();
  model = open_model(0), uncached = open_model(CK_UNCACHED);
  test_open();
  test_split();
  test_merge();
  test_specials();
  test_errors();
  test_decode();
  ck_bpe_close(model), ck_bpe_close(uncached), ck_bpe_close(NULL);
  free(blob);
  printf("bpe: %d failures\n", failures);
  return failures != 0;
}
