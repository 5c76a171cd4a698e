/* test_records_fixed.c: records of a fixed layout. */
#include "records_testing.h"

static void test_fixed(void) {
  enum { ROWS = 5000, SIZE = 27 };
  uint8_t *records = malloc(ROWS * SIZE), *arena = malloc(ROWS * 80);
  for (int i = 0; i < ROWS * SIZE; i++)
    records[i] = (uint8_t)(i * 7 + i / 251);
  ck_fixed_field fields[9];
  int64_t column = 0;
  for (int f = 0; f < 9; f++) { /* every unit, native and byte-swapped, at odd offsets */
    int64_t unit = 1 << f / 2 % 4, count = f == 8 ? 0 : 1 + f % 3;
    fields[f] = (ck_fixed_field){f % 2 + (f > 6), unit, count, f % 2, column};
    column += (unit * count * ROWS + 7) / 8 * 8;
  }
  ck_cursor cursor = {.base = 9};
  ck_error error;
  const ck_fixed_batch batch = {SIZE, fields, 9, {arena, (size_t)column}, ROWS};
  ck_bytes buffer = {records, SIZE};
  for (; buffer.size < ROWS * SIZE; buffer.size = buffer.size * 3 + 5) /* decoded in parts */
    CHECK(ck_decode_fixed(buffer, &batch, 0, &cursor, &error) == CK_OK);
  buffer.size = ROWS * SIZE - 1;
  CHECK(ck_decode_fixed(buffer, &batch, CK_FINAL, &cursor, &error) == CK_FIXED_REMAINDER);
  CHECK(error_is(&error, CK_FIXED_REMAINDER, 9 + (ROWS - 1) * SIZE, ROWS - 1, -1, SIZE, SIZE - 1));
  buffer.size = ROWS * SIZE;
  CHECK(ck_decode_fixed(buffer, &batch, CK_FINAL, &cursor, &error) == CK_OK);
  CHECK(cursor.rows == ROWS && cursor.record == ROWS && cursor.position == ROWS * SIZE);

  bool same = true;
  for (int f = 0; f < 9; f++) {
    ck_fixed_field l = fields[f];
    for (int64_t i = 0; i < ROWS * l.count; i++)
      for (int64_t b = 0; b < l.unit; b++)
        same &= arena[l.column + i * l.unit + b] ==
                records[i / l.count * SIZE + l.offset + i % l.count * l.unit +
                        (l.swap ? l.unit - 1 - b : b)];
  }
  CHECK(same);

  const ck_fixed_field good = {0, 8, 3, 0, 0};
  const ck_fixed_field bad[] = {{0, 3, 1, 0, 0},         {0, 0, 1, 0, 0},  {-1, 1, 1, 0, 0},
                                {4, 8, 3, 0, 0},         {0, 8, -1, 0, 0}, {0, 8, INT64_MAX, 0, 0},
                                {INT64_MAX, 1, 1, 0, 0}, {0, 8, 3, 0, 4},  {0, 8, 3, 0, -8},
                                {0, 8, 3, 0, 32}};
  buffer.size = SIZE;
  ck_fixed_batch small = {SIZE, &good, 1, {arena, 48}, 2};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    cursor = (ck_cursor){0};
    small.fields = &bad[i];
    CHECK(ck_decode_fixed(buffer, &small, 0, &cursor, &error) == CK_ARGUMENT);
    small.fields = &good;
    CHECK(ck_decode_fixed(buffer, &small, 0, &cursor, &error) == CK_OK);
    CHECK(cursor.rows == 1);
  }
  small.record_size = 0;
  CHECK(ck_decode_fixed(buffer, &small, 0, &cursor, &error) == CK_ARGUMENT);
  small.record_size = SIZE;
  small.max_records = 3; /* the arena holds two rows */
  CHECK(ck_decode_fixed(buffer, &small, 0, &cursor, &error) == CK_ARGUMENT);
  free(records);
  free(arena);
}

int main(void) {
  test_fixed();
  return result();
}
