/* test_records_resync.c: every flipped bit costs one record, and searching among forged headers
 * takes linear time. */
#include "records/crc32c.h"
#include "records_testing.h"

/* A copy of the kernel that counts the bytes that it sums. */
static size_t n_summed;

static uint32_t counting(const uint8_t *data, size_t size) {
  n_summed += size;
  return ck_crc32c(data, size, 0);
}

static crc32c_function *choose_counting(void) { return counting; }

#define ck_choose_crc32c choose_counting
#define ck_index_records index_counting
#include "../../c_src/records/index.c"
#undef ck_choose_crc32c
#undef ck_index_records

enum { KIB_64 = 65536, MAX_SPANS = 1000 };

/* Return whether `found` equals `spans` without number `lost`, from number `first` on. */
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

/* Flip every bit of a file of 64 KiB: the fault is found at its place, and one record is lost.
 * Bytes more than a record before the damage are not read again; bytes after it are, for one bit in
 * 97. */
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
      ck_bytes part = {file, (size_t)stop};
      int code = ck_index_records(part, found, MAX_SPANS, CK_VERIFY | CK_FINAL, &cursor, &error);
      bool header = bit / 8 < start + 12;
      wrong += code != (header ? CK_LENGTH_CRC : CK_DATA_CRC) ||
               error.offset != (header ? start : start + 12) || error.record != (int64_t)k;
      cursor = from;
      code = ck_index_records(part, found, MAX_SPANS, CK_RESYNC | CK_FINAL, &cursor, &error);
      wrong += code != CK_OK || cursor.position != stop ||
               !all_but_one(found, (size_t)cursor.rows, spans, first, last - first, k);
      file[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
  }
  CHECK(wrong == 0);
  free(file);
}

/* ---- forged headers ----------------------------------------------------------------------- */

/* Fill `file` with headers that each claim nearly all bytes after them. */
static void forge(uint8_t *file, size_t size) {
  memset(file, 0, size);
  for (size_t at = 0; at + 40 < size; at += 12) {
    bytes length = little(size - at - 17, 8), crc = little(masked(length.at, 8), 4);
    memcpy(file + at, length.at, 8);
    memcpy(file + at + 8, crc.at, 4);
  }
}

/* The number of claims does not change how often a byte is summed: for two parts of a block, and
 * for the header of twelve bytes. */
static void test_forged_headers_cost_what_they_take(void) {
  enum { SIZE = 1 << 20 };
  uint8_t *file = malloc(SIZE);
  for (size_t size = SIZE >> 4; size <= SIZE; size *= 4) {
    forge(file, size);
    ck_span span;
    ck_cursor cursor = {0};
    ck_error error;
    n_summed = 0;
    const ck_bytes buffer = {file, size};
    CHECK(index_counting(buffer, &span, 1, CK_RESYNC | CK_FINAL, &cursor, &error) == CK_OK);
    CHECK(cursor.position == (int64_t)size && cursor.rows == 0);
    CHECK(n_summed < size * (2 * BLOCK / 12 + 2));
  }
  free(file);
}

/* A good record after forged headers is found by combining sums. */
static void test_sums_are_put_together(void) {
  enum { SIZE = 5000, RECORD = 16 + 1800 };
  uint8_t *file = malloc(SIZE);
  for (size_t start = 1200; start + RECORD < SIZE; start++) {
    forge(file, SIZE);
    bytes length = little(RECORD - 16, 8), crc = little(masked(length.at, 8), 4);
    memcpy(file + start, length.at, 8);
    memcpy(file + start + 8, crc.at, 4);
    crc = little(masked(file + start + 12, RECORD - 16), 4);
    memcpy(file + start + RECORD - 4, crc.at, 4);
    ck_span span;
    ck_cursor cursor = {0};
    ck_error error;
    const ck_bytes buffer = {file, SIZE};
    CHECK(ck_index_records(buffer, &span, 1, CK_RESYNC | CK_FINAL, &cursor, &error) == CK_OK);
    CHECK(cursor.rows == 1 && span.offset == (int64_t)start + 12 && span.size == RECORD - 16);
  }
  free(file);
}

int main(void) {
  test_every_flipped_bit();
  test_forged_headers_cost_what_they_take();
  test_sums_are_put_together();
  return result();
}
