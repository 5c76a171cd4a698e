/* fixed.c: ck_decode_fixed on any layout, against a plain loop.
 *
 * The first bytes are the layout and the options, the rest is the file. The results have memory of
 * exactly their size.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cookbook.h"

enum { LEAVES = 4, HEAD = 4 + 4 * LEAVES };

/* Return true if the column has the leaf's scalars of all rows. */
static bool same(const uint8_t *file, int64_t record_size, const ck_fixed_field *leaf,
                 const uint8_t *arena, int64_t rows) {
  for (int64_t row = 0; row < rows; row++)
    for (int64_t i = 0; i < leaf->count; i++)
      for (int64_t byte = 0; byte < leaf->unit; byte++) {
        int64_t from = leaf->swap ? leaf->unit - 1 - byte : byte;
        const uint8_t *scalar = file + row * record_size + leaf->offset + i * leaf->unit;
        if (arena[leaf->column + (row * leaf->count + i) * leaf->unit + byte] != scalar[from])
          return false;
      }
  return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < HEAD)
    return 0;
  int64_t record_size = data[0] % 80, max_records = data[1] % 40, n = data[2] % (LEAVES + 1);
  uint32_t options = data[3] & 1 ? CK_FINAL : 0;
  ck_fixed_field leaves[LEAVES] = {0};
  bool sane = record_size > 0;
  int64_t room = 0;
  for (int64_t i = 0; i < n; i++) {
    const uint8_t *pick = data + 4 + 4 * i;
    ck_fixed_field *leaf = &leaves[i];
    *leaf = (ck_fixed_field){.offset = pick[0] % 90 - 2, .count = pick[1] % 24 - 1, .column = room};
    leaf->unit = pick[2] & 0x80 ? pick[2] % 10 : 1 << pick[2] % 4;
    leaf->swap = pick[3] & 1;
    sane = sane && leaf->offset >= 0 && leaf->count >= 0 &&
           (leaf->unit == 1 || leaf->unit == 2 || leaf->unit == 4 || leaf->unit == 8) &&
           leaf->offset + leaf->count * leaf->unit <= record_size;
    if (sane)
      room += (max_records * leaf->count * leaf->unit + 7) / 8 * 8;
  }
  size_t left = size - HEAD;
  uint8_t *file = malloc(left ? left : 1), *arena = malloc(room ? (size_t)room : 1);
  memcpy(file, data + HEAD, left);

  ck_cursor cursor = {0};
  ck_error error;
  const ck_fixed_batch batch = {record_size, leaves, (size_t)n, {arena, (size_t)room}, max_records};
  int code = ck_decode_fixed((ck_bytes){file, left}, &batch, options, &cursor, &error);
  if ((code == CK_ARGUMENT) == sane)
    abort();
  if (sane) {
    int64_t whole = (int64_t)left / record_size, rest = (int64_t)left % record_size;
    int64_t rows = whole < max_records ? whole : max_records;
    bool partial = rest > 0 && rows < max_records && options & CK_FINAL;
    if (cursor.rows != rows || cursor.position != rows * record_size ||
        code != (partial ? CK_FIXED_REMAINDER : CK_OK))
      abort();
    for (int64_t i = 0; i < n; i++)
      if (!same(file, record_size, &leaves[i], arena, rows))
        abort();
  }
  free(file);
  free(arena);
  return 0;
}
