/* records_names.h: a decoder's tables, and which field of the schema has a name. */
#ifndef RECORDS_NAMES_H
#define RECORDS_NAMES_H

#include "records_column.h"

/* A column's scratch holds first the bounds in the buffer of the field's entry (equal if there is
 * none), then the lengths to commit; and the next field whose name has the same hash, or -1. */
enum { ENTRY = 0, ENTRY_END = 1 };
enum { LENGTH = 0, DATA_LENGTH = 1 };
enum { NEXT = 2 };

enum { N_BUCKETS = 256 };

typedef struct {
  const uint8_t *buffer, *end;
  int64_t base; /* offset in the file of buffer[0] */
  const uint8_t *schema;
  uint8_t *arena;
  ck_column *columns;
  size_t n_columns;
  varint_runs varints;
  bool twins;               /* two fields of the schema have one name */
  bool lists;               /* some are of feature lists */
  int64_t first[N_BUCKETS]; /* the first field with this hash, or -1 */
  int16_t after[N_BUCKETS]; /* which field followed field i - 1 in the last record, if any */
} decoder;

/* ---- the arguments ------------------------------------------------------------------------ */

static bool table_is_sane(const decoder *d, size_t schema_size, size_t arena_size,
                          int64_t max_records) {
  if ((uintptr_t)d->arena % 8 != 0 || d->n_columns > schema_size / sizeof(ck_field))
    return false;
  for (size_t i = 0; i < d->n_columns; i++) {
    const schema_field *field = field_of(d->schema, i);
    if (!field_is_sane(field, schema_size) ||
        !column_is_sane(&d->columns[i], field, arena_size, max_records))
      return false;
  }
  return true;
}

/* ---- names -------------------------------------------------------------------------------- */

/* For short strings, where a call of memcmp costs more than the comparison. */
static inline bool same_bytes(const uint8_t *a, const uint8_t *b, size_t size) {
  if (size >= 8) {
    for (size_t i = 0; i < size - 8; i += 8)
      if (load_le64(a + i) != load_le64(b + i))
        return false;
    return load_le64(a + size - 8) == load_le64(b + size - 8);
  }
  if (size >= 4)
    return load_le32(a) == load_le32(b) && load_le32(a + size - 4) == load_le32(b + size - 4);
  for (size_t i = 0; i < size; i++)
    if (a[i] != b[i])
      return false;
  return true;
}

static inline bool is_named(const decoder *d, int64_t i, wire key) {
  const schema_field *field = field_of(d->schema, (size_t)i);
  size_t size = (size_t)(key.end - key.at);
  return (size_t)field->name_size == size &&
         same_bytes(d->schema + field->name_offset, key.at, size);
}

static inline size_t bucket_of(const uint8_t *name, size_t size) {
  uint64_t hash = size;
  if (size >= 8)
    hash += load_le64(name) * UINT64_C(0x9e3779b97f4a7c15) + load_le64(name + size - 8);
  else
    for (size_t i = 0; i < size; i++)
      hash = hash << 8 ^ name[i];
  return hash * UINT64_C(0x9e3779b97f4a7c15) >> 56;
}

static void hash_names(decoder *d) {
  for (int i = 0; i < N_BUCKETS; i++)
    d->first[i] = d->after[i] = -1;
  d->twins = d->lists = false;
  for (size_t i = 0; i < d->n_columns; i++) {
    const schema_field *field = field_of(d->schema, i);
    const uint8_t *name = d->schema + field->name_offset;
    size_t bucket = bucket_of(name, (size_t)field->name_size);
    int64_t other = d->first[bucket];
    for (; other >= 0; other = d->columns[other].scratch[NEXT])
      d->twins |= is_named(d, other, (wire){name, name + field->name_size});
    d->lists |= is_list(field);
    d->columns[i].scratch[NEXT] = d->first[bucket];
    d->first[bucket] = (int64_t)i;
  }
}

#endif
