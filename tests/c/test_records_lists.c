/* test_records_lists.c: the feature lists of a SequenceExample. */
#include <stddef.h>

#include "records_testing.h"

static bytes lists(bytes entries) { return field(2, entries); }
static bytes step(bytes feature) { return field(1, feature); }

/* The values, and the steps, of "ids". */
static const feature IDS_LIST[] = {{"ids", CK_INT64, CK_LIST, 0}, {"ids", CK_INT64, CK_STEPS, 0}};

static void test_lists(void) {
  const feature schema[] = {{"ids", CK_INT64, CK_LIST, 0},
                            {"ids", CK_INT64, CK_STEPS, 0},
                            {"ids", CK_INT64, DENSE, 1}, /* in the context */
                            {"words", CK_BYTES, CK_DENSE_LIST, 2}};
  bytes two = field(CK_BYTES, join(field(1, B("to")), field(1, B(""))));
  bytes ids = join(step(int64s(B("\1\2"))), join(step(NOTHING), step(int64s(B("\3")))));
  bytes first = join(example(entry("ids", int64s(B("\7")))),
                     lists(join(entry("ids", ids), entry("words", join(step(two), step(two))))));
  bytes second = join(lists(entry("ids", step(int64s(B("\4"))))), /* the lists may come first */
                      example(entry("ids", int64s(B("\x08")))));
  decoder d = prepare(schema, 4, 4, 4);
  CHECK(decode(&d, join(framed(first), framed(second)), CK_VERIFY | CK_FINAL) == CK_OK);
  CHECK(d.columns[0].length == 4 && memcmp(rows_of(&d, 0), (int64_t[]){0, 3, 4}, 24) == 0);
  CHECK(memcmp(values_of(&d, 0), (int64_t[]){1, 2, 3, 4}, 32) == 0);
  CHECK(d.columns[1].length == 4 && d.columns[1].data_length == 4);
  CHECK(memcmp(rows_of(&d, 1), (int64_t[]){0, 3, 4}, 24) == 0);
  CHECK(memcmp(values_of(&d, 1), (int64_t[]){0, 2, 2, 3, 4}, 40) == 0);
  CHECK(d.columns[2].length == 2 && values_of(&d, 2)[0] == 7 && values_of(&d, 2)[1] == 8);
  CHECK(memcmp(rows_of(&d, 3), (int64_t[]){0, 4, 4}, 24) == 0);
  CHECK(memcmp(values_of(&d, 3), (int64_t[]){0, 2, 2, 4, 4}, 40) == 0);
  release(&d);
}

static void test_faults(void) {
  bytes record = lists(entry("ids", join(step(int64s(B("\1\2"))), step(int64s(B("\3"))))));
  for (size_t cut = 0; cut <= record.size; cut++) { /* reads nothing outside */
    decoder d = prepare(IDS_LIST, 2, 4, 0);
    int code = decode(&d, framed(raw(record.at, cut)), CK_VERIFY | CK_FINAL);
    CHECK((code == CK_OK) == (cut == 0 || cut == record.size));
    release(&d);
  }
  /* In lists(entry("ids", step)) the entry is at 2, the step at 11, its Feature's member at 13, the
   * list's item at 15, the item's value at 17. */
  const feature steps[] = {{"ids", CK_INT64, CK_STEPS, 0}};
  bytes wrong = lists(entry("ids", step(floats(NOTHING))));
  for (int i = 0; i < 2; i++)
    CHECK(error_is(fault_with(i ? steps : IDS_LIST, i ? 1 : 2, wrong), CK_TYPE_MISMATCH, DATA + 13,
                   1, 0, CK_INT64, CK_FLOAT));
  bytes bad = lists(entry("ids", step(int64s(B("\x80")))));
  CHECK(error_is(fault_with(steps, 1, bad), CK_VARINT, DATA + 17, 1, 0, 0, 0));
  const feature pairs[] = {{"ids", CK_INT64, CK_DENSE_LIST, 2}};
  CHECK(error_is(fault_with(pairs, 1, lists(entry("ids", step(NOTHING)))), CK_MISSING, DATA, 1, 0,
                 2, 0));
  CHECK(error_is(fault_with(pairs, 1, record), CK_DENSE_LENGTH, DATA, 1, 0, 2, 1));

  /* lists without a field in the schema are not parsed */
  CHECK(fault_with(IDS, 1, lists(B("\x0f")))->code == CK_OK);
  CHECK(fault_with(IDS_LIST, 2, lists(B("\x0f")))->code == CK_WIRE_TYPE);
}

static void test_room(void) {
  bytes record = framed(lists(entry("ids", join(step(int64s(B("\1\2"))), step(NOTHING)))));
  decoder d = prepare(IDS_LIST, 2, 3, 0);
  for (int column = 0; column < 2; column++) {
    d.columns[column].capacity = 1;
    CHECK(decode(&d, record, CK_FINAL) == CK_CAPACITY);
    CHECK(error_is(&d.error, CK_CAPACITY, 0, 0, column, 2, 1));
    d.columns[column].capacity = 3;
  }
  CHECK(decode(&d, record, CK_FINAL) == CK_OK && d.columns[1].length == 2);
  release(&d);
}

static void test_arguments(void) {
  bytes record = framed(lists(entry("ids", step(int64s(B("\1\2"))))));
  decoder d = prepare(IDS_LIST, 2, 3, 0);
  for (int32_t form = -1; form <= 5; form += 6) {
    memcpy(d.schema + offsetof(ck_field, form), &form, sizeof form);
    CHECK(decode(&d, record, CK_FINAL) == CK_ARGUMENT);
  }
  release(&d);
  d = prepare(IDS_LIST, 2, 3, 0);
  d.columns[1].data_length = (INT64_C(1) << 62) + 1;
  CHECK(decode(&d, record, CK_FINAL) == CK_ARGUMENT);
  d.columns[1].data_length = 0;
  d.columns[1].values = (int64_t)d.arena_size - 8 * 3; /* for 4 offsets */
  CHECK(decode(&d, record, CK_FINAL) == CK_ARGUMENT);
  release(&d);
}

int main(void) {
  test_lists();
  test_faults();
  test_room();
  test_arguments();
  return result();
}
