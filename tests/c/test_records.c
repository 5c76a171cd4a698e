/* test_records.c: the records kernels on records built by hand.
 *
 *   cc -Ic_src tests/c/test_records.c c_src/records_*.c c_src/varint_block.c c_src/crc32c.c \
 *      c_src/cpu.c -fsanitize=address,undefined && ./a.out
 *
 * Input and arena are allocated to the byte, so that a sanitizer sees any step outside. */
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

static bytes raw(const void *at, size_t size) {
  bytes out = {.size = size};
  memcpy(out.at, at, size);
  return out;
}

static bytes join(bytes a, bytes b) {
  memcpy(a.at + a.size, b.at, b.size);
  a.size += b.size;
  return a;
}

static bytes repeat(bytes item, int n) {
  bytes out = {0};
  while (n-- > 0)
    out = join(out, item);
  return out;
}

static bytes varint(uint64_t value) {
  bytes out = {0};
  for (; value >= 0x80; value >>= 7)
    out.at[out.size++] = (uint8_t)(value | 0x80);
  out.at[out.size++] = (uint8_t)value;
  return out;
}

/* A length-delimited field: a message, a string, a packed run. */
static bytes field(int number, bytes body) {
  return join(join(varint((uint64_t)number << 3 | 2), varint(body.size)), body);
}

static bytes text(const char *chars) { return raw(chars, strlen(chars)); }
static bytes entry(const char *key, bytes feature) {
  return field(1, join(field(1, text(key)), field(2, feature)));
}
static bytes example(bytes entries) { return field(1, entries); }

static bytes int64s(bytes packed) { return field(CK_INT64, field(1, packed)); }
static bytes floats(bytes packed) { return field(CK_FLOAT, field(1, packed)); }

static uint32_t masked(const uint8_t *at, size_t size) {
  uint32_t crc = ck_crc32c(at, size);
  return ((crc >> 15) | (crc << 17)) + 0xa282ead8u;
}

static bytes little(uint64_t value, int size) {
  bytes out = {0};
  for (; size-- > 0; value >>= 8)
    out.at[out.size++] = (uint8_t)value;
  return out;
}

static bytes framed(bytes data) {
  bytes size = little(data.size, 8);
  bytes header = join(size, little(masked(size.at, 8), 4));
  return join(join(header, data), little(masked(data.at, data.size), 4));
}

/* ---- decoding ----------------------------------------------------------------------------- */

enum { MAX_ROWS = 8, MAX_FIELDS = 4, DENSE = 1, RAGGED = 0 };

typedef struct {
  const char *name;
  int kind, dense, length;
} feature;

typedef struct {
  size_t n_fields, schema_size, arena_size;
  uint8_t *schema, *arena;
  ck_column columns[MAX_FIELDS];
  ck_cursor cursor;
  ck_error error;
} decoder;

static int64_t reserve(decoder *d, int64_t size) {
  int64_t at = (int64_t)d->arena_size;
  d->arena_size += (size_t)(size + 7) / 8 * 8;
  return at;
}

static decoder prepare(const feature *features, size_t n, int64_t capacity, int64_t data_capacity) {
  decoder d = {.n_fields = n, .schema_size = n * sizeof(ck_field)};
  for (size_t i = 0; i < n; i++)
    d.schema_size += strlen(features[i].name);
  d.schema = malloc(d.schema_size);
  int32_t name_at = (int32_t)(n * sizeof(ck_field));
  for (size_t i = 0; i < n; i++) {
    const feature *f = &features[i];
    int32_t name_size = (int32_t)strlen(f->name);
    ck_field field = {name_at, name_size, f->kind, f->dense, f->length};
    memcpy(d.schema + i * sizeof field, &field, sizeof field);
    memcpy(d.schema + name_at, f->name, (size_t)name_size);
    name_at += name_size;

    ck_column *c = &d.columns[i];
    c->row_offsets = f->dense ? -1 : reserve(&d, 8 * (MAX_ROWS + 1));
    c->values = reserve(&d, (f->kind == CK_SPANS ? 16 : 8) * (capacity + 1));
    c->capacity = capacity;
    c->data = f->kind == CK_BYTES ? reserve(&d, data_capacity) : 0;
    c->data_capacity = f->kind == CK_BYTES ? data_capacity : 0;
  }
  d.arena = malloc(d.arena_size);
  return d;
}

static void release(decoder *d) {
  free(d->schema);
  free(d->arena);
}

static int decode(decoder *d, bytes file, uint32_t options) {
  uint8_t *exact = malloc(file.size);
  memcpy(exact, file.at, file.size);
  int code =
      ck_decode_examples(exact, file.size, d->schema, d->schema_size, d->arena, d->arena_size,
                         d->columns, d->n_fields, MAX_ROWS, options, &d->cursor, &d->error);
  free(exact);
  return code;
}

static int64_t *int64_at(decoder *d, int64_t at) { return (int64_t *)(d->arena + at); }
static int64_t *values_of(decoder *d, int i) { return int64_at(d, d->columns[i].values); }
static int64_t *rows_of(decoder *d, int i) { return int64_at(d, d->columns[i].row_offsets); }

static bool error_is(const ck_error *e, int64_t code, int64_t offset, int64_t record, int64_t field,
                     int64_t expected, int64_t actual) {
  bool same = e->code == code && e->offset == offset && e->record == record && e->field == field &&
              e->expected == expected && e->actual == actual;
  if (!same)
    printf("  got (%lld, %lld, %lld, %lld, %lld, %lld)\n", (long long)e->code, (long long)e->offset,
           (long long)e->record, (long long)e->field, (long long)e->expected, (long long)e->actual);
  return same;
}

static const feature IDS[] = {{"ids", CK_INT64, RAGGED, 0}};
static const bytes NOTHING;

/* What one record, all of whose ids are below 10, decodes to: "123"; "!" for a fault. */
static const char *ids_of(bytes data) {
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

enum { BASE = 1000, DATA = BASE + 18 + 12 }; /* behind a record of 2 bytes and its frame */

/* The fault of a record that stands behind a good one, so that an offset or number lost shows. */
static const ck_error *fault_with(const feature *schema, size_t n, bytes data) {
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

/* ---- what is decoded ---------------------------------------------------------------------- */

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

  /* two fields of one name both get the value */
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

/* Columns of fewer bytes, with and without the room that many at a time want; then one that does not
 * fit, at every place. */
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
  CHECK(ck_gather_examples(exact, file.size, wanted, MAX_ROWS, d.schema, d.schema_size, d.arena,
                           d.arena_size, d.columns, 2, CK_VERIFY, &d.cursor, &d.error) == CK_OK);
  CHECK(d.cursor.rows == MAX_ROWS && d.cursor.position == 0 && d.cursor.record == 0);
  for (int i = 0; i < MAX_ROWS; i++) {
    const ck_span *value = (const ck_span *)values_of(&d, 1) + i;
    CHECK(values_of(&d, 0)[i] == i * 2 % 3);
    CHECK(value->size == i * 2 % 3 &&
          value->offset + value->size == wanted[i].offset + wanted[i].size);
  }
  const ck_span odd[] = {{INT64_MIN, 1}, {1011, 1}, {INT64_MAX, INT64_MAX}, {1012, INT64_MIN}};
  for (size_t i = 0; i < 4; i++) {
    d.cursor.rows = 0;
    int code = ck_gather_examples(exact, file.size, &odd[i], 1, d.schema, d.schema_size, d.arena,
                                  d.arena_size, d.columns, 2, 0, &d.cursor, &d.error);
    CHECK(code == (i < 2 ? CK_ARGUMENT : i == 2 ? CK_TRUNCATED_HEADER : CK_STALE_INDEX));
  }
  free(exact);
  release(&d);
}

/* ---- what is refused ---------------------------------------------------------------------- */

/* In example(entry("ids", Feature)) the entry is at 2, its key at 4, its value at 9, the Feature's
 * member at 11, the list's item at 13, the item's value at 15. */
static void test_wire_faults(void) {
  CHECK_FAULT(B("\x0e"), CK_WIRE_TYPE, 0, -1, 0, 0);
  CHECK_FAULT(B("\x0f"), CK_WIRE_TYPE, 0, -1, 0, 0);
  CHECK_FAULT(B("\x02"), CK_WIRE_TYPE, 0, -1, 0, 0);              /* field number 0 */
  CHECK_FAULT(B("\x0c"), CK_WIRE_TYPE, 0, -1, 0, 0);              /* ends nothing */
  CHECK_FAULT(B("\x0b\x13\x0c"), CK_WIRE_TYPE, 2, -1, 0, 0);      /* ends another group */
  CHECK_FAULT(B("\x0b\x13\x08\1"), CK_WIRE_TYPE, 1, -1, 0, 0);    /* ends within the inner one */
  CHECK_FAULT(repeat(B("\x33"), 65), CK_WIRE_TYPE, 64, -1, 0, 0); /* too deep */
  CHECK_FAULT(B("\x80"), CK_VARINT, 0, -1, 0, 0);
  CHECK_FAULT(B("\x8a\x80\x80\x80\x80\0\0"), CK_VARINT, 0, -1, 0, 0); /* a tag of 6 bytes */
  CHECK_FAULT(B("\x8a\x80\x80\x80\x10\0"), CK_VARINT, 0, -1, 0, 0);   /* a tag beyond 32 bits */
  CHECK_FAULT(B("\x10"), CK_VARINT, 1, -1, 0, 0);
  CHECK_FAULT(join(B("\x10"), repeat(B("\x80"), 11)), CK_VARINT, 1, -1, 0, 0);
  CHECK_FAULT(B("\x0a\x80"), CK_VARINT, 1, -1, 0, 0);
  CHECK_FAULT(B("\x0a\3xx"), CK_SUBMESSAGE_LENGTH, 1, -1, 2, 3);
  CHECK_FAULT(B("\x0a\x83\0xx"), CK_SUBMESSAGE_LENGTH, 1, -1, 2, 3);
  CHECK_FAULT(B("\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\1"), CK_SUBMESSAGE_LENGTH, 1, -1, 0, -1);
  CHECK_FAULT(B("\x11xxxxxxx"), CK_SUBMESSAGE_LENGTH, 1, -1, 7, 8);
  CHECK_FAULT(B("\x15xxx"), CK_SUBMESSAGE_LENGTH, 1, -1, 3, 4);
  CHECK_FAULT(B("\x0b\x15xxx"), CK_SUBMESSAGE_LENGTH, 2, -1, 3, 4);

  CHECK_FAULT(example(B("\x0a\5")), CK_SUBMESSAGE_LENGTH, 3, -1, 0, 5);             /* the entry */
  CHECK_FAULT(example(field(1, B("\x0a\5id"))), CK_SUBMESSAGE_LENGTH, 5, -1, 2, 5); /* its key */
  CHECK_FAULT(example(entry("ids", B("\x1a\1"))), CK_SUBMESSAGE_LENGTH, 12, 0, 0, 1);
  CHECK_FAULT(example(entry("ids", field(3, B("\x0a\3\1")))), CK_SUBMESSAGE_LENGTH, 14, 0, 1, 3);
  CHECK_FAULT(example(entry("ids", int64s(B("\1\x80")))), CK_VARINT, 16, 0, 0, 0);
  CHECK_FAULT(example(entry("ids", field(3, B("\x08\x80")))), CK_VARINT, 14, 0, 0, 0);
  bytes long_run = join(repeat(B("\1"), 20), repeat(B("\x80"), 11));
  CHECK_FAULT(example(entry("ids", int64s(join(long_run, B("\1"))))), CK_VARINT, 35, 0, 0, 0);
  CHECK_FAULT(example(entry("ids", floats(B("xxxx")))), CK_TYPE_MISMATCH, 11, 0, CK_INT64,
              CK_FLOAT);

  /* what nobody asked for is not looked into */
  CHECK(fault_with(IDS, 1, example(entry("other", B("\x0f"))))->code == CK_OK);
  bytes loser = join(entry("ids", B("\x0f")), entry("ids", int64s(B("\1"))));
  CHECK(fault_with(IDS, 1, example(loser))->code == CK_OK);

  const feature pair[] = {{"f", CK_FLOAT, DENSE, 2}};
  bytes odd = example(entry("f", floats(B("xxxxx")))), none = example(entry("f", floats(NOTHING)));
  CHECK(error_is(fault_with(pair, 1, odd), CK_MISSING, BASE + 12, 0, 0, 2,
                 0)); /* in the good record */
  const feature floats_[] = {{"f", CK_FLOAT, RAGGED, 0}};
  CHECK(error_is(fault_with(floats_, 1, odd), CK_FLOAT_LENGTH, DATA + 12, 1, 0, 0, 5));
  bytes cut = example(entry("f", field(CK_FLOAT, B("\x0dxxx"))));
  CHECK(error_is(fault_with(floats_, 1, cut), CK_SUBMESSAGE_LENGTH, DATA + 12, 1, 0, 3, 4));

  decoder d = prepare(pair, 1, 4, 0);
  CHECK(decode(&d, framed(none), 0) == CK_MISSING &&
        error_is(&d.error, CK_MISSING, 12, 0, 0, 2, 0));
  CHECK(decode(&d, framed(example(entry("f", floats(B("xxxx"))))), 0) == CK_DENSE_LENGTH);
  CHECK(error_is(&d.error, CK_DENSE_LENGTH, 12, 0, 0, 2, 1));
  release(&d);

  const feature empty[] = {{"f", CK_FLOAT, DENSE, 0}}; /* no values are fine, no feature is not */
  d = prepare(empty, 1, 4, 0);
  CHECK(decode(&d, framed(none), 0) == CK_OK && d.cursor.rows == 1);
  d.cursor = (ck_cursor){0};
  CHECK(decode(&d, framed(example(NOTHING)), 0) == CK_MISSING);
  release(&d);
}

static void test_framing(void) {
  bytes good = framed(example(NOTHING)), file = join(good, framed(example(entry("ids", NOTHING))));
  const int64_t at = (int64_t)good.size, data = at + 12, size = (int64_t)(file.size - good.size);

  for (size_t cut = 0; cut <= file.size; cut++) {
    for (uint32_t options = 0; options < 4; options++) {
      bytes part = raw(file.at, cut);
      decoder d = prepare(IDS, 1, 4, 0);
      d.cursor.base = 100;
      int code = decode(&d, part, options), rows = (cut >= good.size) + (cut == file.size);
      int64_t start = rows ? at : 0, left = (int64_t)cut - start, whole = rows ? size : at;
      CHECK(d.cursor.rows == rows && d.cursor.record == rows);
      if (!(options & CK_FINAL) || rows == 2 || left == 0) {
        CHECK(code == CK_OK);
      } else if (left < 12) {
        CHECK(error_is(&d.error, CK_TRUNCATED_HEADER, 100 + start, rows, -1, 12, left));
      } else if (left < whole - 4) {
        CHECK(error_is(&d.error, CK_TRUNCATED_DATA, 112 + start, rows, -1, whole - 16, left - 12));
      } else {
        CHECK(error_is(&d.error, CK_TRUNCATED_FOOTER, 100 + start + whole - 4, rows, -1, 4,
                       left - whole + 4));
      }
      CHECK(decode(&d, file, options) == CK_OK && d.cursor.rows == 2); /* resume when it is there */
      release(&d);
    }
  }

  for (int bit = 0; bit < 8 * (int)size; bit++) { /* every flipped bit of the second record */
    bytes bad = file;
    int byte = bit / 8;
    bad.at[at + byte] ^= (uint8_t)(1 << bit % 8);
    decoder d = prepare(IDS, 1, 4, 0);
    CHECK(decode(&d, bad, CK_VERIFY | CK_FINAL) == (byte < 12 ? CK_LENGTH_CRC : CK_DATA_CRC));
    CHECK(d.error.offset == (byte < 12 ? at : data) && d.error.record == 1 && d.cursor.rows == 1);
    release(&d);
  }

  bytes wrong = file;
  wrong.at[data + 3] ^= 1;
  ck_span spans[2];
  ck_cursor cursor = {0};
  ck_error error;
  CHECK(ck_index_records(wrong.at, wrong.size, spans, 2, CK_VERIFY, &cursor, &error) ==
        CK_DATA_CRC);
  uint32_t stored = masked(file.at + data, (size_t)size - 16);
  CHECK(error_is(&error, CK_DATA_CRC, data, 1, -1, stored,
                 masked(wrong.at + data, (size_t)size - 16)));
  CHECK(ck_index_records(wrong.at, wrong.size, spans, 2, CK_FINAL, &cursor, &error) == CK_OK);
  CHECK(cursor.rows == 2 && spans[0].offset == 12 && spans[0].size == 2);
  CHECK(spans[1].offset == data && spans[1].size == size - 16);

  for (uint64_t excess = 0; excess < 2; excess++) { /* the largest size, and one more */
    bytes huge = join(join(little((uint64_t)INT64_MAX - 16 + excess, 8), B("crc!")), B("data"));
    cursor = (ck_cursor){0};
    ck_index_records(huge.at, huge.size, spans, 2, CK_FINAL, &cursor, &error);
    CHECK(excess ? error_is(&error, CK_LENGTH_LIMIT, 0, 0, -1, INT64_MAX - 16, INT64_MAX - 15)
                 : error_is(&error, CK_TRUNCATED_DATA, 12, 0, -1, INT64_MAX - 16, 4));
  }
}

/* A cut anywhere within the Example is a fault or a shorter Example, never a step outside. */
static void test_cut_examples(void) {
  bytes all = example(join(entry("ids", int64s(repeat(B("\xac\x02"), 50))),
                           entry("more", join(field(CK_BYTES, field(1, B("x"))), B("\x33\x34")))));
  const feature schema[] = {{"ids", CK_INT64, RAGGED, 0}, {"more", CK_BYTES, RAGGED, 0}};
  for (size_t cut = 0; cut <= all.size; cut++) {
    decoder d = prepare(schema, 2, 100, 1);
    int code = decode(&d, framed(raw(all.at, cut)), CK_VERIFY | CK_FINAL);
    CHECK((code == CK_OK) == (cut == 0 || cut == all.size));
    CHECK(code == CK_OK || (d.error.offset >= 12 && d.error.offset <= 12 + (int64_t)cut));
    release(&d);
  }
}

/* ---- the caller's memory ------------------------------------------------------------------ */

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
  d.columns[0].capacity = 6; /* more room behind what is there */
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
  /* what a later oneof member replaces needs no room */
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

/* ---- fixed layouts ------------------------------------------------------------------------ */

static void test_fixed(void) {
  enum { ROWS = 5000, SIZE = 27 };
  uint8_t *records = malloc(ROWS * SIZE), *arena = malloc(ROWS * 80);
  for (int i = 0; i < ROWS * SIZE; i++)
    records[i] = (uint8_t)(i * 7 + i / 251);
  ck_fixed_field fields[9];
  int64_t column = 0;
  for (int f = 0; f < 9; f++) { /* every unit, as it is and swapped, from odd offsets */
    int64_t unit = 1 << f / 2 % 4, count = f == 8 ? 0 : 1 + f % 3;
    fields[f] = (ck_fixed_field){f % 2 + (f > 6), unit, count, f % 2, column};
    column += (unit * count * ROWS + 7) / 8 * 8;
  }
  ck_cursor cursor = {.base = 9};
  ck_error error;
  for (size_t size = SIZE; size < ROWS * SIZE; size = size * 3 + 5) /* in pieces */
    CHECK(ck_decode_fixed(records, size, SIZE, fields, 9, arena, (size_t)column, ROWS, 0, &cursor,
                          &error) == CK_OK);
  CHECK(ck_decode_fixed(records, ROWS * SIZE - 1, SIZE, fields, 9, arena, (size_t)column, ROWS,
                        CK_FINAL, &cursor, &error) == CK_FIXED_REMAINDER);
  CHECK(error_is(&error, CK_FIXED_REMAINDER, 9 + (ROWS - 1) * SIZE, ROWS - 1, -1, SIZE, SIZE - 1));
  CHECK(ck_decode_fixed(records, ROWS * SIZE, SIZE, fields, 9, arena, (size_t)column, ROWS,
                        CK_FINAL, &cursor, &error) == CK_OK);
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
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    cursor = (ck_cursor){0};
    CHECK(ck_decode_fixed(records, SIZE, SIZE, &bad[i], 1, arena, 48, 2, 0, &cursor, &error) ==
          CK_ARGUMENT);
    CHECK(ck_decode_fixed(records, SIZE, SIZE, &good, 1, arena, 48, 2, 0, &cursor, &error) ==
          CK_OK);
    CHECK(cursor.rows == 1);
  }
  CHECK(ck_decode_fixed(records, SIZE, 0, &good, 1, arena, 48, 2, 0, &cursor, &error) ==
        CK_ARGUMENT);
  CHECK(ck_decode_fixed(records, SIZE, SIZE, &good, 1, arena, 48, 3, 0, &cursor, &error) ==
        CK_ARGUMENT); /* the arena holds two rows */
  free(records);
  free(arena);
}

/* ---- recovery ----------------------------------------------------------------------------- */

enum { KIB_64 = 65536, MAX_SPANS = 1000 };

/* Whether `found` is `spans` but for number `lost`, from number `first` on. */
static bool all_but_one(const ck_span *found, size_t n_found, const ck_span *spans, size_t first,
                        size_t n, size_t lost) {
  if (n_found != n - 1)
    return false;
  for (size_t i = 0; i < n_found; i++) {
    const ck_span *wanted = &spans[first + i + (first + i >= lost)];
    if (found[i].offset != wanted->offset || found[i].size != wanted->size)
      return false;
  }
  return true;
}

/* Every bit of a file of 64 KiB flipped: found where it is, and one record lost. What lies more than
 * a record before the damage is not read again, nor, but for one bit in 97, what lies behind. */
static void test_every_flipped_bit(void) {
  uint8_t *file = malloc(KIB_64);
  ck_span spans[MAX_SPANS], found[MAX_SPANS];
  size_t n = 0, size = 0;
  for (uint32_t random = 1; size < KIB_64; n++) {
    random = random * 1664525 + 1013904223;
    size_t data = random >> 24 < 200 ? random >> 23 : random >> 28;
    size_t left = KIB_64 - size - 16;
    data = left < data + 16 ? left : data;
    memset(file + size + 12, (int)random & 0xff, data);
    bytes length = little(data, 8), crc = little(masked(length.at, 8), 4);
    memcpy(file + size, length.at, 8);
    memcpy(file + size + 8, crc.at, 4);
    crc = little(masked(file + size + 12, data), 4);
    memcpy(file + size + 12 + data, crc.at, 4);
    spans[n] = (ck_span){(int64_t)size + 12, (int64_t)data};
    size += 16 + data;
  }

  int wrong = 0;
  for (size_t k = 0; k < n; k++) {
    int64_t start = spans[k].offset - 12, end = spans[k].offset + spans[k].size + 4;
    size_t first = k ? k - 1 : 0;
    for (int64_t bit = 8 * start; bit < 8 * end; bit++) {
      size_t last = k + 1 < n && bit % 97 ? k + 2 : n;
      int64_t stop = spans[last - 1].offset + spans[last - 1].size + 4;
      ck_cursor from = {0, spans[first].offset - 12, (int64_t)first, 0}, cursor = from;
      ck_error error;
      file[bit / 8] ^= (uint8_t)(1 << bit % 8);
      int code = ck_index_records(file, (size_t)stop, found, MAX_SPANS, CK_VERIFY | CK_FINAL,
                                  &cursor, &error);
      bool header = bit / 8 < start + 12;
      wrong += code != (header ? CK_LENGTH_CRC : CK_DATA_CRC) ||
               error.offset != (header ? start : start + 12) || error.record != (int64_t)k;
      cursor = from;
      code = ck_index_records(file, (size_t)stop, found, MAX_SPANS, CK_RESYNC | CK_FINAL, &cursor,
                              &error);
      wrong += code != CK_OK || cursor.position != stop ||
               !all_but_one(found, (size_t)cursor.rows, spans, first, last - first, k);
      file[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
  }
  CHECK(wrong == 0);
  free(file);
}

int main(void) {
  test_columns();
  test_semantics();
  test_varints();
  test_narrow_integers();
  test_gather();
  test_wire_faults();
  test_framing();
  test_cut_examples();
  test_capacity();
  test_arguments();
  test_fixed();
  test_every_flipped_bit();
  printf(failures ? "%d checks failed\n" : "all checks passed\n", failures);
  return failures != 0;
}
