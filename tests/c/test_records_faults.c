/* test_records_faults.c: the faults of records, and their places. */
#include "records_testing.h"

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

  /* features that the schema lacks are not parsed */
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

  const feature empty[] = {
      {"f", CK_FLOAT, DENSE, 0}}; /* an empty list is allowed, a missing feature is not */
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
      CHECK(decode(&d, file, options) == CK_OK &&
            d.cursor.rows == 2); /* it resumes when the rest has arrived */
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
  const ck_bytes damaged = {wrong.at, wrong.size};
  CHECK(ck_index_records(damaged, spans, 2, CK_VERIFY, &cursor, &error) == CK_DATA_CRC);
  uint32_t stored = masked(file.at + data, (size_t)size - 16);
  CHECK(error_is(&error, CK_DATA_CRC, data, 1, -1, stored,
                 masked(wrong.at + data, (size_t)size - 16)));
  CHECK(ck_index_records(damaged, spans, 2, CK_FINAL, &cursor, &error) == CK_OK);
  CHECK(cursor.rows == 2 && spans[0].offset == 12 && spans[0].size == 2);
  CHECK(spans[1].offset == data && spans[1].size == size - 16);

  for (uint64_t excess = 0; excess < 2; excess++) { /* the largest size, and one more */
    bytes huge = join(join(little((uint64_t)INT64_MAX - 16 + excess, 8), B("crc!")), B("data"));
    cursor = (ck_cursor){0};
    const ck_bytes buffer = {huge.at, huge.size};
    ck_index_records(buffer, spans, 2, CK_FINAL, &cursor, &error);
    CHECK(excess ? error_is(&error, CK_LENGTH_LIMIT, 0, 0, -1, INT64_MAX - 16, INT64_MAX - 15)
                 : error_is(&error, CK_TRUNCATED_DATA, 12, 0, -1, INT64_MAX - 16, 4));
  }
}

/* A cut anywhere within the Example is a fault or a shorter Example, and reads nothing outside. */
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

int main(void) {
  test_wire_faults();
  test_framing();
  test_cut_examples();
  return result();
}
