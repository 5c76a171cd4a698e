/* records_testing.h: records built by hand, and a decoder for them.
 *
 *   cc -Ic_src tests/c/test_records.c c_src/records/*.c c_src/common/cpu.c \
 *      -fsanitize=address,undefined && ./a.out
 *
 * Input and arena are allocated to the byte, so that a sanitizer sees any access outside them. */
#ifndef RECORDS_TESTING_H
#define RECORDS_TESTING_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cookbook.h"

static int failures;

#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      printf("%s:%d: %s\n", __FILE__, __LINE__, #condition);                                       \
      failures++;                                                                                  \
    }                                                                                              \
  } while (0)

/* ---- building records --------------------------------------------------------------------- */

typedef struct {
  size_t size;
  uint8_t at[1000];
} bytes;

#define B(literal) raw(literal, sizeof(literal) - 1)

static inline bytes raw(const void *at, size_t size) {
  bytes out = {.size = size};
  memcpy(out.at, at, size);
  return out;
}

static inline bytes join(bytes a, bytes b) {
  memcpy(a.at + a.size, b.at, b.size);
  a.size += b.size;
  return a;
}

static inline bytes repeat(bytes item, int n) {
  bytes out = {0};
  while (n-- > 0)
    out = join(out, item);
  return out;
}

static inline bytes varint(uint64_t value) {
  bytes out = {0};
  for (; value >= 0x80; value >>= 7)
    out.at[out.size++] = (uint8_t)(value | 0x80);
  out.at[out.size++] = (uint8_t)value;
  return out;
}

/* A length-delimited field: a message, a string, a packed run. */
static inline bytes field(int number, bytes body) {
  return join(join(varint((uint64_t)number << 3 | 2), varint(body.size)), body);
}

static inline bytes text(const char *chars) { return raw(chars, strlen(chars)); }
static inline bytes entry(const char *key, bytes feature) {
  return field(1, join(field(1, text(key)), field(2, feature)));
}
static inline bytes example(bytes entries) { return field(1, entries); }

static inline bytes int64s(bytes packed) { return field(CK_INT64, field(1, packed)); }
static inline bytes floats(bytes packed) { return field(CK_FLOAT, field(1, packed)); }

static inline uint32_t masked(const uint8_t *at, size_t size) {
  uint32_t crc = ck_crc32c(at, size, 0);
  return ((crc >> 15) | (crc << 17)) + 0xa282ead8u;
}

static inline bytes little(uint64_t value, int size) {
  bytes out = {0};
  for (; size-- > 0; value >>= 8)
    out.at[out.size++] = (uint8_t)value;
  return out;
}

static inline bytes framed(bytes data) {
  bytes size = little(data.size, 8);
  bytes header = join(size, little(masked(size.at, 8), 4));
  return join(join(header, data), little(masked(data.at, data.size), 4));
}

/* ---- decoding ----------------------------------------------------------------------------- */

enum { MAX_ROWS = 8, MAX_FIELDS = 4, DENSE = CK_DENSE, RAGGED = CK_RAGGED };

typedef struct {
  const char *name;
  int kind, form, length;
} feature;

typedef struct {
  size_t n_fields, schema_size, arena_size;
  uint8_t *schema, *arena;
  ck_column columns[MAX_FIELDS];
  ck_cursor cursor;
  ck_error error;
} decoder;

static inline int64_t reserve(decoder *d, int64_t size) {
  int64_t at = (int64_t)d->arena_size;
  d->arena_size += (size_t)(size + 7) / 8 * 8;
  return at;
}

static inline decoder prepare(const feature *features, size_t n, int64_t capacity,
                              int64_t data_capacity) {
  decoder d = {.n_fields = n, .schema_size = n * sizeof(ck_field)};
  for (size_t i = 0; i < n; i++)
    d.schema_size += strlen(features[i].name);
  d.schema = malloc(d.schema_size);
  int32_t name_at = (int32_t)(n * sizeof(ck_field));
  for (size_t i = 0; i < n; i++) {
    const feature *f = &features[i];
    int32_t name_size = (int32_t)strlen(f->name);
    ck_field field = {name_at, name_size, f->kind, f->form, f->length};
    memcpy(d.schema + i * sizeof field, &field, sizeof field);
    memcpy(d.schema + name_at, f->name, (size_t)name_size);
    name_at += name_size;

    ck_column *c = &d.columns[i];
    c->row_offsets = f->form == CK_DENSE ? -1 : reserve(&d, 8 * (MAX_ROWS + 1));
    c->values = reserve(&d, (f->kind == CK_SPANS ? 16 : 8) * (capacity + 1));
    c->capacity = capacity;
    c->data = f->kind == CK_BYTES ? reserve(&d, data_capacity) : 0;
    c->data_capacity = f->kind == CK_BYTES ? data_capacity : 0;
  }
  d.arena = malloc(d.arena_size);
  return d;
}

static inline void release(decoder *d) {
  free(d->schema);
  free(d->arena);
}

static inline ck_batch batch_of(decoder *d, int64_t max_records) {
  return (ck_batch){
      {d->schema, d->schema_size}, {d->arena, d->arena_size}, d->columns, d->n_fields, max_records};
}

static inline int decode(decoder *d, bytes file, uint32_t options) {
  uint8_t *exact = malloc(file.size);
  memcpy(exact, file.at, file.size);
  ck_batch batch = batch_of(d, MAX_ROWS);
  int code =
      ck_decode_examples((ck_bytes){exact, file.size}, &batch, options, &d->cursor, &d->error);
  free(exact);
  return code;
}

static inline int64_t *int64_at(decoder *d, int64_t at) { return (int64_t *)(d->arena + at); }
static inline int64_t *values_of(decoder *d, int i) { return int64_at(d, d->columns[i].values); }
static inline int64_t *rows_of(decoder *d, int i) { return int64_at(d, d->columns[i].row_offsets); }

static inline bool error_is(const ck_error *e, int64_t code, int64_t offset, int64_t record,
                            int64_t field, int64_t expected, int64_t actual) {
  bool same = e->code == code && e->offset == offset && e->record == record && e->field == field &&
              e->expected == expected && e->actual == actual;
  if (!same)
    printf("  got (%lld, %lld, %lld, %lld, %lld, %lld)\n", (long long)e->code, (long long)e->offset,
           (long long)e->record, (long long)e->field, (long long)e->expected, (long long)e->actual);
  return same;
}

static const feature IDS[] = {{"ids", CK_INT64, RAGGED, 0}};
static const bytes NOTHING;

/* Return the decoded ids of one record, which are all below 10, as digits: "123"; or "!" for a
 * fault. */
static inline const char *ids_of(bytes data) {
  static char digits[100];
  decoder d = prepare(IDS, 1, 90, 0);
  strcpy(digits, "!");
  if (decode(&d, framed(data), CK_VERIFY | CK_FINAL) == CK_OK) {
    for (int64_t i = 0; i < d.columns[0].length; i++)
      digits[i] = (char)('0' + values_of(&d, 0)[i]);
    digits[d.columns[0].length] = 0;
  }
  release(&d);
  return digits;
}

#define CHECK_IDS(expected, data) CHECK(strcmp(ids_of(data), expected) == 0)

enum { BASE = 1000, DATA = BASE + 18 + 12 }; /* after a record of 2 bytes and its frame */

/* Return the fault of a record after a good one, so that a wrong offset or number shows. */
static inline const ck_error *fault_with(const feature *schema, size_t n, bytes data) {
  static ck_error error;
  decoder d = prepare(schema, n, 3, 4);
  d.cursor.base = BASE;
  int code = decode(&d, join(framed(example(NOTHING)), framed(data)), CK_VERIFY | CK_FINAL);
  error = d.error;
  CHECK(code == error.code);
  CHECK(code != CK_OK || d.cursor.rows == 2);
  release(&d);
  return &error;
}

#define CHECK_FAULT(data, code, offset, field, expected, actual)                                   \
  CHECK(error_is(fault_with(IDS, 1, data), code, DATA + (offset), 1, field, expected, actual))

static inline int result(void) {
  printf(failures ? "%d checks failed\n" : "all checks passed\n", failures);
  return failures != 0;
}

#endif
