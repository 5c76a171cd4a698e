/* records.c: the records kernels on any bytes, for libFuzzer, AFL or, with main.c, by hand.
 *
 * The first byte selects the options and the schema, the rest is the file. The results have memory
 * of exactly their size.
 */
#include <stdlib.h>
#include <string.h>

#include "cookbook.h"

enum { FIELDS = 8, ROWS = 16, ROOM = 70, DATA = 200, SPANS = 40 };
static const char *const names[FIELDS] = {"i", "f", "b", "i", "s", "l", "l", "b"};

typedef struct {
  uint8_t *schema, *arena;
  size_t schema_size, arena_size;
  ck_column columns[FIELDS];
} tables;

static tables prepare(unsigned pick) {
  tables t = {.schema = malloc(FIELDS * (sizeof(ck_field) + 1))};
  t.schema_size = FIELDS * (sizeof(ck_field) + 1);
  for (int i = 0; i < FIELDS; i++) {
    static const int32_t kinds[FIELDS] = {CK_INT64, CK_FLOAT, CK_BYTES, CK_INT32,
                                          CK_SPANS, CK_INT64, CK_INT64, CK_BYTES};
    static const int32_t lists[FIELDS] = {[5] = CK_LIST, [6] = CK_STEPS, [7] = CK_DENSE_LIST};
    int32_t form = i > 4 && pick & 0x20 ? lists[i] : pick >> i % 5 & 1 ? CK_DENSE : CK_RAGGED;
    int32_t kind = i == 3 && pick & 1 ? CK_UINT16 : kinds[i];
    ck_field field = {FIELDS * sizeof(ck_field) + i, 1, kind, form, 1 + (pick & 2)};
    memcpy(t.schema + i * sizeof field, &field, sizeof field);
    t.schema[FIELDS * sizeof field + i] = (uint8_t)names[i][0];
    ck_column *column = &t.columns[i];
    *column = (ck_column){.capacity = ROOM, .data_capacity = kind == CK_BYTES ? DATA : 0};
    column->row_offsets = (int64_t)t.arena_size;
    column->values = column->row_offsets + 8 * (ROWS + 1);
    column->data = column->values + 16 * (ROOM + 1);
    t.arena_size = (size_t)column->data + DATA;
  }
  t.arena = malloc(t.arena_size);
  return t;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0)
    return 0;
  unsigned pick = data[0];
  uint8_t *file = malloc(size - 1 ? size - 1 : 1);
  memcpy(file, data + 1, size - 1);
  size--;
  uint32_t options = (pick & 0x80 ? CK_VERIFY : 0) | (pick & 0x40 ? CK_FINAL : 0);
  ck_span spans[SPANS];
  ck_cursor cursor = {0};
  ck_error error;

  const ck_bytes buffer = {file, size};
  ck_index_records(buffer, spans, SPANS, options, &cursor, &error);
  size_t n = (size_t)cursor.rows;
  tables t = prepare(pick);
  cursor = (ck_cursor){0};
  ck_batch batch = {{t.schema, t.schema_size}, {t.arena, t.arena_size}, t.columns, FIELDS, ROWS};
  ck_decode_examples(buffer, &batch, options, &cursor, &error);
  cursor = (ck_cursor){0};
  batch.max_records = n < ROWS ? (int64_t)n : ROWS;
  ck_gather_examples(buffer, spans, &batch, options, &cursor, &error);
  cursor = (ck_cursor){0};
  if (ck_index_records(buffer, spans, SPANS, options | CK_RESYNC, &cursor, &error) != CK_OK)
    abort();
  int64_t last = 0;
  for (int64_t i = 0; i < cursor.rows; i++) { /* in order, disjoint, and within the file */
    if (spans[i].offset < last + 12 || spans[i].offset + spans[i].size + 4 > (int64_t)size)
      abort();
    last = spans[i].offset + spans[i].size + 4;
  }
  free(file);
  free(t.schema);
  free(t.arena);
  return 0;
}
