/* Records of a fixed layout into columns.
 *
 * The leaves are gathered one after the other, but only for some rows at a time. A block of records
 * stays in the cache while its leaves are gathered, so that memory is read once, and each column is
 * written front to back.
 *
 *     records   a0 b0 | a1 b1 | a2 b2 | ..
 *     columns   a0 a1 a2 ..        b0 b1 b2 .. */
#include <stdlib.h>

#include "tables.h"

enum { BLOCK_BYTES = 16384 };

#define ALWAYS_INLINE inline __attribute__((always_inline))

static ALWAYS_INLINE void move_scalar(uint8_t *to, const uint8_t *from, int64_t unit, bool swap) {
  uint16_t half;
  uint32_t word;
  uint64_t pair;
  switch (unit) {
  case 1:
    *to = *from;
    break;
  case 2:
    memcpy(&half, from, sizeof half);
    half = swap ? __builtin_bswap16(half) : half;
    memcpy(to, &half, sizeof half);
    break;
  case 4:
    memcpy(&word, from, sizeof word);
    word = swap ? __builtin_bswap32(word) : word;
    memcpy(to, &word, sizeof word);
    break;
  case 8:
    memcpy(&pair, from, sizeof pair);
    pair = swap ? __builtin_bswap64(pair) : pair;
    memcpy(to, &pair, sizeof pair);
  }
}

/* Gather one leaf of `rows` records. It is inlined with `unit` and `swap` constant, so that a
 * scalar costs a load, a swap and a store. */
static ALWAYS_INLINE void gather(uint8_t *to, const uint8_t *from, int64_t stride, int64_t rows,
                                 int64_t count, int64_t unit, bool swap) {
  if (count == 1)
    for (int64_t row = 0; row < rows; row++)
      move_scalar(to + row * unit, from + row * stride, unit, swap);
  else if (!swap)
    for (int64_t row = 0; row < rows; row++)
      memcpy(to + row * count * unit, from + row * stride, (size_t)(count * unit));
  else
    for (int64_t row = 0; row < rows; row++)
      for (int64_t i = 0; i < count; i++)
        move_scalar(to + (row * count + i) * unit, from + row * stride + i * unit, unit, true);
}

static void gather_leaf(const ck_fixed_field *leaf, uint8_t *column, const uint8_t *records,
                        int64_t record_size, int64_t rows) {
  const uint8_t *from = records + leaf->offset;
  int64_t count = leaf->count;
  bool swap = leaf->swap && leaf->unit > 1;
  switch (leaf->unit * 2 + swap) {
  case 2:
    gather(column, from, record_size, rows, count, 1, false);
    break;
  case 4:
    gather(column, from, record_size, rows, count, 2, false);
    break;
  case 5:
    gather(column, from, record_size, rows, count, 2, true);
    break;
  case 8:
    gather(column, from, record_size, rows, count, 4, false);
    break;
  case 9:
    gather(column, from, record_size, rows, count, 4, true);
    break;
  case 16:
    gather(column, from, record_size, rows, count, 8, false);
    break;
  case 17:
    gather(column, from, record_size, rows, count, 8, true);
  }
}

/* `*taken` is the end of the columns before this leaf's, and becomes the end of its own. */
static bool leaf_is_sane(const ck_fixed_field *leaf, int64_t record_size, size_t arena_size,
                         int64_t *taken, int64_t max_records) {
  int64_t unit = leaf->unit, count = leaf->count, column = leaf->column;
  if (unit != 1 && unit != 2 && unit != 4 && unit != 8)
    return false;
  if (leaf->offset < 0 || leaf->offset > record_size || count < 0 ||
      count > (record_size - leaf->offset) / unit)
    return false;
  if (column < *taken || column % 8 != 0 || (size_t)column > arena_size)
    return false;
  if (count > 0 && (size_t)max_records > (arena_size - (size_t)column) / (size_t)(unit * count))
    return false;
  *taken = column + unit * count * max_records;
  return true;
}

/* `leaves` are a copy of the batch's fields. */
static int decode(ck_bytes buffer, const ck_fixed_batch *batch, const ck_fixed_field *leaves,
                  uint32_t options, ck_cursor *at, ck_error *error) {
  const int64_t record_size = batch->record_size, max_records = batch->max_records;
  int64_t taken = 0;
  for (size_t i = 0; i < batch->n_fields; i++)
    if (!leaf_is_sane(&leaves[i], record_size, batch->arena.size, &taken, max_records))
      return bad_argument(error);

  fail(error, CK_OK, 0, 0, 0, 0);
  int64_t block = record_size < BLOCK_BYTES ? BLOCK_BYTES / record_size : 1;
  while (at->rows < max_records) {
    int64_t left = (int64_t)buffer.size - at->position;
    int64_t rows = left / record_size;
    if (rows == 0) {
      if (left == 0 || !(options & CK_FINAL))
        return CK_OK;
      return fail(error, CK_FIXED_REMAINDER, at->base + at->position, at->record, record_size,
                  left);
    }
    rows = rows < block ? rows : block;
    if (rows > max_records - at->rows)
      rows = max_records - at->rows;
    for (size_t i = 0; i < batch->n_fields; i++) {
      int64_t row_size = leaves[i].count * leaves[i].unit;
      gather_leaf(&leaves[i], batch->arena.data + leaves[i].column + at->rows * row_size,
                  buffer.data + at->position, record_size, rows);
    }
    at->position += rows * record_size;
    at->record += rows;
    at->rows += rows;
  }
  return CK_OK;
}

int ck_decode_fixed(ck_bytes buffer, const ck_fixed_batch *batch, uint32_t options,
                    ck_cursor *cursor, ck_error *error) {
  const ck_arena arena = batch->arena;
  const size_t table_size = batch->n_fields * sizeof *batch->fields;
  const memory_range ranges[] = {{AT_BUFFER, false, buffer.data, buffer.size},
                                 {AT_FIELDS, false, batch->fields, table_size},
                                 {AT_ARENA, true, arena.data, arena.size},
                                 {AT_CURSOR, true, cursor, sizeof *cursor}};
  if (overlaps(ranges, 4, error))
    return CK_OVERLAP;
  ck_cursor at = copy_of(cursor);
  if (batch->record_size < 1 || misaligned(arena.data, arena.size) ||
      !cursor_is_sane(&at, buffer.size, batch->max_records))
    return bad_argument(error);

  ck_fixed_field small[SMALL / sizeof *batch->fields];
  ck_fixed_field *allocated = table_size > sizeof small ? malloc(table_size) : NULL;
  ck_fixed_field *leaves = table_size > sizeof small ? allocated : small;
  if (!leaves)
    return fail(error, CK_MEMORY, 0, 0, 0, 0);
  copy_once(leaves, batch->fields, table_size);
  int code = decode(buffer, batch, leaves, options, &at, error);
  if (code != CK_ARGUMENT)
    *cursor = at;
  free(allocated);
  return code;
}
