/* test_records_memory.c: the caller's memory is too small or wrong. */
#include "records_testing.h"

static void test_capacity(void) {
  bytes record = framed(example(entry("ids", int64s(B("\1\2")))));
  bytes file = join(join(record, record), record);
  const int64_t second = (int64_t)record.size;
  decoder d = prepare(IDS, 1, 6, 0);
  d.columns[0].capacity = 3;
  for (int again = 0; again < 2; again++) {
    CHECK(decode(&d, file, CK_FINAL) == CK_CAPACITY);
    CHECK(error_is(&d.error, CK_CAPACITY, second, 1, 0, 4, 3));
    CHECK(d.cursor.position == second && d.cursor.rows == 1 && d.columns[0].length == 2);
  }
  d.columns[0].capacity = 6; /* more room after the existing rows */
  CHECK(decode(&d, file, CK_FINAL) == CK_OK && d.cursor.rows == 3);
  CHECK(memcmp(values_of(&d, 0), (int64_t[]){1, 2, 1, 2, 1, 2}, 48) == 0);
  CHECK(memcmp(rows_of(&d, 0), (int64_t[]){0, 2, 4, 6}, 32) == 0);

  d.cursor = (ck_cursor){.position = second, .record = 1}; /* or a new batch */
  d.columns[0].capacity = 4;
  CHECK(decode(&d, file, CK_FINAL) == CK_ARGUMENT); /* length is still 6 */
  d.columns[0].length = 0;
  CHECK(decode(&d, file, CK_FINAL) == CK_OK && d.cursor.rows == 2 && d.columns[0].length == 4);
  release(&d);

  const feature words[] = {{"w", CK_BYTES, RAGGED, 0}};
  bytes long_word = framed(example(entry("w", field(CK_BYTES, field(1, B("12345"))))));
  d = prepare(words, 1, 1, 4);
  CHECK(decode(&d, long_word, 0) == CK_DATA_CAPACITY);
  CHECK(error_is(&d.error, CK_DATA_CAPACITY, 0, 0, 0, 5, 4));
  /* values that a later oneof member replaces need no room */
  bytes forgotten = join(field(CK_BYTES, join(field(1, B("12345")), field(1, B("6")))),
                         join(floats(NOTHING), field(CK_BYTES, field(1, B("1234")))));
  CHECK(decode(&d, framed(example(entry("w", forgotten))), 0) == CK_OK);
  CHECK(d.columns[0].data_length == 4 && memcmp(d.arena + d.columns[0].data, "1234", 4) == 0);
  release(&d);
}

#define CHECK_ARGUMENT(change)                                                                     \
  do {                                                                                             \
    decoder d = prepare(schema, 2, 4, 4);                                                          \
    ck_field *fields = (ck_field *)d.schema;                                                       \
    (void)fields;                                                                                  \
    change;                                                                                        \
    CHECK(decode(&d, file, CK_FINAL) == CK_ARGUMENT);                                              \
    CHECK(error_is(&d.error, CK_ARGUMENT, 0, 0, -1, 0, 0));                                        \
    release(&d);                                                                                   \
  } while (0)

static void test_arguments(void) {
  const feature schema[] = {{"w", CK_BYTES, RAGGED, 0}, {"f", CK_FLOAT, DENSE, 1}};
  bytes file = framed(example(NOTHING));

  CHECK_ARGUMENT(d.cursor.base = -1);
  CHECK_ARGUMENT(d.cursor.base = INT64_MAX);
  CHECK_ARGUMENT(d.cursor.position = -1);
  CHECK_ARGUMENT(d.cursor.position = (int64_t)file.size + 1);
  CHECK_ARGUMENT(d.cursor.record = -1);
  CHECK_ARGUMENT(d.cursor.record = INT64_MAX);
  CHECK_ARGUMENT(d.cursor.rows = -1);
  CHECK_ARGUMENT(d.cursor.rows = MAX_ROWS + 1);
  CHECK_ARGUMENT(fields[0].kind = 0);
  CHECK_ARGUMENT(fields[0].kind = 7);
  CHECK_ARGUMENT(fields[1].length = -1);
  CHECK_ARGUMENT(fields[0].name_offset = -1);
  CHECK_ARGUMENT(fields[0].name_size = -1);
  CHECK_ARGUMENT(fields[0].name_size = 3);
  CHECK_ARGUMENT(fields[0].name_offset = INT32_MAX);
  CHECK_ARGUMENT(d.schema_size = 47);
  CHECK_ARGUMENT(d.columns[0].row_offsets = -8);
  CHECK_ARGUMENT(d.columns[0].row_offsets = 4);
  CHECK_ARGUMENT(d.columns[0].row_offsets = (int64_t)d.arena_size - 8 * MAX_ROWS);
  CHECK_ARGUMENT(d.columns[0].values = INT64_MAX - 7);
  CHECK_ARGUMENT(d.columns[0].capacity = -1);
  CHECK_ARGUMENT(d.columns[0].capacity = INT64_MAX);
  CHECK_ARGUMENT(d.columns[0].length = 5);
  CHECK_ARGUMENT(d.columns[0].length = -1);
  CHECK_ARGUMENT(d.columns[0].data = 3);
  CHECK_ARGUMENT(d.columns[0].data_capacity = (int64_t)d.arena_size + 1);
  CHECK_ARGUMENT(d.columns[0].data_length = 5);
  CHECK_ARGUMENT(d.arena_size -= 41); /* "f" needs 16 of the last 40 */
}

int main(void) {
  test_capacity();
  test_arguments();
  return result();
}
