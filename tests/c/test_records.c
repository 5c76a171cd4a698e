/* test_records.c: the values that the records kernels decode. */
#include "records_testing.h"

static void test_columns(void) {
  const feature schema[] = {{"words", CK_BYTES, RAGGED, 0},
                            {"pair", CK_FLOAT, DENSE, 2},
                            {"ids", CK_INT64, RAGGED, 0},
                            {"label", CK_INT64, DENSE, 1}};
  bytes words = field(CK_BYTES, join(field(1, B("to")), join(field(1, B("")), field(1, B("be")))));
  bytes pair = floats(B("\0\0\x80\x3f\1\0\xa0\x7f")); /* 1.0 and a signalling NaN */
  bytes first =
      join(join(entry("words", words), entry("pair", pair)),
           join(entry("ids", int64s(B("\x07\xac\x02"))), entry("label", int64s(B("\1")))));
  bytes second = join(entry("label", int64s(B("\2"))), entry("pair", pair));
  bytes file = join(framed(example(first)), framed(example(second)));

  decoder d = prepare(schema, 4, 4, 4);
  CHECK(decode(&d, file, CK_VERIFY | CK_FINAL) == CK_OK);
  CHECK(d.error.code == CK_OK);
  CHECK(d.cursor.position == (int64_t)file.size && d.cursor.record == 2 && d.cursor.rows == 2);
  CHECK(d.columns[0].length == 3 && d.columns[0].data_length == 4);
  CHECK(memcmp(rows_of(&d, 0), (int64_t[]){0, 3, 3}, 24) == 0);
  CHECK(memcmp(values_of(&d, 0), (int64_t[]){0, 2, 2, 4}, 32) == 0);
  CHECK(memcmp(d.arena + d.columns[0].data, "tobe", 4) == 0);
  CHECK(d.columns[1].length == 4);
  CHECK(memcmp(values_of(&d, 1), "\0\0\x80\x3f\1\0\xa0\x7f\0\0\x80\x3f\1\0\xa0\x7f", 16) == 0);
  CHECK(d.columns[2].length == 2 && rows_of(&d, 2)[2] == 2);
  CHECK(values_of(&d, 2)[0] == 7 && values_of(&d, 2)[1] == 300);
  CHECK(d.columns[3].length == 2 && values_of(&d, 3)[0] == 1 && values_of(&d, 3)[1] == 2);
  release(&d);
}

static void test_semantics(void) {
  bytes one = int64s(B("\1")), two = int64s(B("\2")), ids = field(1, B("ids"));

  CHECK_IDS("", NOTHING);
  CHECK_IDS("", example(entry("ids", NOTHING)));
  CHECK_IDS("", example(entry("ids", int64s(NOTHING))));
  CHECK_IDS("", example(entry("other", one)));
  CHECK_IDS("2", example(join(entry("ids", one), entry("ids", two)))); /* the last entry wins */
  CHECK_IDS("", example(join(entry("ids", one), entry("ids", NOTHING))));
  CHECK_IDS("1", join(example(entry("ids", one)), example(entry("other", two))));
  CHECK_IDS("1", example(field(1, join(field(2, one), ids)))); /* value before key */
  CHECK_IDS("12", example(field(1, join(field(2, one), join(ids, field(2, two))))));
  CHECK_IDS("1", example(field(1, join(join(field(1, B("no")), ids), field(2, one)))));
  CHECK_IDS("", example(field(1, join(join(ids, field(1, B("no"))), field(2, one)))));

  /* packed, unpacked and mixed lists; a oneof that switches, and switches back */
  CHECK_IDS("123", example(entry("ids", field(3, B("\x0a\2\1\2\x08\3")))));
  CHECK_IDS("123", example(entry("ids", field(3, B("\x08\1\x0a\2\2\3")))));
  CHECK_IDS("12", example(entry("ids", join(one, two))));
  CHECK_IDS("2", example(entry("ids", join(join(one, floats(NOTHING)), two))));
  CHECK_IDS("!", example(entry("ids", join(one, floats(NOTHING)))));

  /* unknown fields and groups are skipped at every level, known numbers of a wrong type too */
  bytes skipped = join(B("\x10\1\x19xxxxxxxx\x25xxxx\x2a\1x"), B("\x33\x3b\x08\1\x3c\x34"));
  bytes list = join(skipped, B("\x0d\0\0\0\0\x08\5"));
  bytes all = field(1, join(ids, join(skipped, field(2, join(field(3, list), B("\x18\1"))))));
  CHECK_IDS("5", join(skipped, join(B("\x08\1"), example(join(skipped, all)))));
  CHECK_IDS("1", example(entry("ids", join(one, B("\x23\x1a\x01\x01\x24"))))); /* a group in it */

  bytes nested = join(repeat(B("\x33"), 64), repeat(B("\x34"), 64));
  CHECK_IDS("1", join(nested, example(entry("ids", one))));

  /* an entry without a key has the key "" */
  const feature unnamed[] = {{"", CK_INT64, DENSE, 1}};
  CHECK(fault_with(unnamed, 1, example(field(1, field(2, one))))->code == CK_MISSING);
  decoder d = prepare(unnamed, 1, 1, 0);
  CHECK(decode(&d, framed(example(field(1, field(2, one)))), CK_FINAL) == CK_OK);
  CHECK(values_of(&d, 0)[0] == 1);
  release(&d);

  /* two fields of the same name both get the value */
  const feature twins[] = {{"ids", CK_INT64, RAGGED, 0}, {"ids", CK_INT64, DENSE, 1}};
  d = prepare(twins, 2, 1, 0);
  CHECK(decode(&d, framed(example(entry("ids", two))), CK_FINAL) == CK_OK);
  CHECK(values_of(&d, 0)[0] == 2 && values_of(&d, 1)[0] == 2);
  release(&d);
}

/* Varints of every length, alone, in a row, and with a non-minimal form. */
static void test_varints(void) {
  bytes run = {0};
  int64_t wanted[400];
  int n = 0;
  for (int pad = 0; pad < 8; pad++)
    for (int size = 1; size <= 10; size++) {
      uint64_t value = size == 10 ? UINT64_MAX : (UINT64_C(1) << 7 * size) - 1;
      wanted[n++] = (int64_t)value;
      run = join(run, varint(value));
      for (int i = 0; i < pad; i++, n++) {
        wanted[n] = i;
        run = join(run, varint((uint64_t)i));
      }
    }
  wanted[n++] = 1;
  run = join(run, B("\x81\x80\x80\x80\x80\x80\x80\x80\x80\x02")); /* bits above 64 are dropped */
  for (int rest = 0; rest < 2; rest++) {
    decoder d = prepare(IDS, 1, n + 200 * rest, 0); /* exact room; room to spare */
    bytes file = framed(example(entry("ids", int64s(run))));
    CHECK(decode(&d, join(file, framed(example(NOTHING))), CK_FINAL) == CK_OK);
    CHECK(d.columns[0].length == n);
    CHECK(memcmp(values_of(&d, 0), wanted, (size_t)n * 8) == 0);
    release(&d);
  }
}

/* Narrow columns, with and without the room that decoding many at a time needs; then one value that
 * does not fit, at every place. */
static void test_narrow_integers(void) {
  static const int64_t some[] = {0,         1,     127,      128,           16383,
                                 16384,     65535, 1 << 21,  (1 << 28) - 1, 1 << 28,
                                 INT32_MAX, -1,    INT32_MIN};
  enum { N = 300 };
  for (int kind = CK_INT32; kind <= CK_UINT16; kind++)
    for (int choices = 2; choices <= (kind == CK_INT32 ? 13 : 7); choices++)
      for (int bad = -1; bad < N; bad += bad < 0 ? 1 : 23) {
        const feature schema[] = {{"ids", kind, RAGGED, 0}};
        int64_t wanted[N], low = kind == CK_INT32 ? INT32_MIN : 0;
        int64_t high = kind == CK_INT32 ? INT32_MAX : UINT16_MAX;
        bytes run = {0};
        size_t bad_at = 0;
        for (int i = 0; i < N && run.size < 900; i++) {
          wanted[i] = i == bad ? (i % 2 ? high + 1 : low - 1) : some[i * 7 % choices];
          bad_at = i == bad ? run.size : bad_at;
          run = join(run, varint((uint64_t)wanted[i]));
        }
        int n = 0;
        for (size_t i = 0; i < run.size; i++)
          n += run.at[i] < 0x80;
        decoder d = prepare(schema, 1, bad % 2 ? n : n + 100, 0);
        bytes file = framed(example(entry("ids", int64s(run))));
        int code = decode(&d, file, CK_FINAL);
        bool refused = bad >= 0 && bad < n;
        CHECK(code == (refused ? CK_RANGE : CK_OK));
        if (refused) {
          int64_t run_at = (int64_t)(file.size - 4 - run.size);
          CHECK(error_is(&d.error, CK_RANGE, run_at + (int64_t)bad_at, 0, 0, bad % 2 ? high : low,
                         wanted[bad]));
        } else {
          CHECK(d.columns[0].length == n);
          for (int i = 0; i < n; i++) {
            const void *at = values_of(&d, 0);
            CHECK((kind == CK_INT32 ? ((const int32_t *)at)[i] : ((const uint16_t *)at)[i]) ==
                  wanted[i]);
          }
        }
        release(&d);
      }
}

static void test_gather(void) {
  const feature schema[] = {{"ids", CK_INT64, DENSE, 1}, {"b", CK_SPANS, RAGGED, 0}};
  bytes file = {0};
  ck_span spans[3], wanted[MAX_ROWS];
  for (int i = 0; i < 3; i++) {
    bytes data = example(join(entry("ids", int64s(varint((uint64_t)i))),
                              entry("b", field(CK_BYTES, field(1, repeat(B("x"), i))))));
    spans[i] = (ck_span){1000 + (int64_t)file.size + 12, (int64_t)data.size};
    file = join(file, framed(data));
  }
  uint8_t *exact = malloc(file.size);
  memcpy(exact, file.at, file.size);
  for (int i = 0; i < MAX_ROWS; i++)
    wanted[i] = spans[i * 2 % 3];
  decoder d = prepare(schema, 2, MAX_ROWS, 0);
  d.cursor = (ck_cursor){.base = 1000};
  const ck_bytes buffer = {exact, file.size};
  ck_batch batch = batch_of(&d, MAX_ROWS);
  CHECK(ck_gather_examples(buffer, wanted, &batch, CK_VERIFY, &d.cursor, &d.error) == CK_OK);
  CHECK(d.cursor.rows == MAX_ROWS && d.cursor.position == 0 && d.cursor.record == 0);
  for (int i = 0; i < MAX_ROWS; i++) {
    const ck_span *value = (const ck_span *)values_of(&d, 1) + i;
    CHECK(values_of(&d, 0)[i] == i * 2 % 3);
    CHECK(value->size == i * 2 % 3 &&
          value->offset + value->size == wanted[i].offset + wanted[i].size);
  }
  const ck_span odd[] = {{INT64_MIN, 1}, {1011, 1}, {INT64_MAX, INT64_MAX}, {1012, INT64_MIN}};
  batch.max_records = 1;
  for (size_t i = 0; i < 4; i++) {
    d.cursor.rows = 0;
    int code = ck_gather_examples(buffer, &odd[i], &batch, 0, &d.cursor, &d.error);
    CHECK(code == (i < 2 ? CK_ARGUMENT : i == 2 ? CK_TRUNCATED_HEADER : CK_STALE_INDEX));
  }
  free(exact);
  release(&d);
}

int main(void) {
  test_columns();
  test_semantics();
  test_varints();
  test_narrow_integers();
  test_gather();
  return result();
}
