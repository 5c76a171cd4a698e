/* test_records_names.c: the number of comparisons among names that all have one hash, in a table of
 * n names and in one of 2n. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static long comparisons;

static int counted(const void *a, const void *b, size_t size) {
  comparisons++;
  return memcmp(a, b, size);
}

#define memcmp counted
#include "records/names.h"
#undef memcmp

enum { MOST = 4096, SIZE = 16 };

static uint8_t schema[MOST * (sizeof(ck_field) + SIZE)];
static ck_column columns[MOST];

/* The first eight bytes count; the others cancel their effect on the hash. */
static void collide(uint8_t *name, uint64_t first) {
  uint64_t mixed = (2 * SIZE ^ first) * UINT64_C(0x9e3779b97f4a7c15);
  uint64_t last = UINT64_C(0x0123456789abcdef) ^ mixed ^ mixed >> 32;
  memcpy(name, &first, 8);
  memcpy(name + 8, &last, 8);
}

static int check(const char *what, long found, long most) {
  if (found <= most)
    return 0;
  printf("%s: %ld comparisons, at most %ld\n", what, found, most);
  return 1;
}

static int names(uint32_t n, long log2_n) {
  uint8_t *text = schema + n * sizeof(ck_field);
  for (uint32_t i = 0; i < n; i++) {
    ck_field field = {(int32_t)(n * sizeof field + i * SIZE), SIZE, CK_INT64, CK_RAGGED, 0};
    memcpy(schema + i * sizeof field, &field, sizeof field);
    collide(text + i * SIZE, i * UINT64_C(0x9e3779b97f4a7c15));
  }
  _Alignas(16) char small[SMALL];
  decoder d = {.n_columns = n};
  if (!take_tables(&d, small, columns, schema, n * (sizeof(ck_field) + SIZE)))
    return 1;
  comparisons = 0;
  index_names(&d);
  int bad = check("to sort", comparisons, 3 * n * log2_n);
  uint64_t hash = d.names[0].hash;
  for (uint32_t i = 0; i < n; i++) {
    bad |= d.names[i].hash != hash;
    comparisons = 0;
    bad |= field_named(&d, name_of(&d, i), false) != (int64_t)i;
    bad |= check("to find", comparisons, log2_n + 1);
  }
  uint8_t unknown[SIZE];
  collide(unknown, 12345);
  comparisons = 0;
  bad |= field_named(&d, (wire){unknown, unknown + SIZE}, false) != -1;
  bad |= check("not to find", comparisons, log2_n + 1);
  free(d.allocated);
  return bad;
}

int main(void) {
  int bad = names(MOST / 4, 10) | names(MOST / 2, 11) | names(MOST, 12);
  printf(bad ? "failed\n" : "all checks passed\n");
  return bad;
}
