/* The decoder's tables, and the search for a field of the schema by its name.
 *
 * The names are sorted by their hash, and by their bytes where hashes are equal. A search begins in
 * the bucket of the first bits of the hash and halves it. So ordinary names take one comparison,
 * and no choice of names takes more than log2(n_columns). Fields that share a name are found as the
 * first of them, their leader. */
#pragma once

#include <stdlib.h>

#include "column.h"
#include "tables.h"

/* The uses of a column's scratch, in the decoder's copy. It first holds the bounds in the buffer of
 * the field's entry (equal if there is none), then the lengths to commit. LEADER is the first field
 * of the same name. */
enum { ENTRY = 0, ENTRY_END = 1 };
enum { LENGTH = 0, DATA_LENGTH = 1 };
enum { LEADER = 2 };

typedef struct {
  uint64_t hash;
  uint32_t field, leader;
} name_entry;

typedef struct {
  const uint8_t *buffer, *end;
  int64_t base; /* offset in the file of buffer[0] */
  uint8_t *arena;
  ck_column *columns;    /* a copy */
  const uint8_t *schema; /* a copy */
  size_t n_columns;
  varint_runs varints;
  bool twins;        /* two fields have the same name */
  bool lists;        /* some fields are feature lists */
  name_entry *names; /* [n_columns], sorted */
  uint32_t *first;   /* [n_buckets + 1]: the first entry of each bucket in `names` */
  int shift;         /* hash >> shift is the bucket */
  int32_t
      *after; /* [n_columns + 1]: the field that followed field i - 1 in the last record, or -1 */
  void *allocated; /* the block that holds these tables, unless they are small */
} decoder;

/* ---- the arguments ------------------------------------------------------------------------ */

/* Return true if the tables are consistent. Names may not share bytes, because a short schema could
 * otherwise have many long ones. */
static bool table_is_sane(const decoder *d, size_t schema_size, size_t arena_size,
                          int64_t max_records) {
  size_t room = schema_size - d->n_columns * sizeof(ck_field);
  int64_t taken = 0;
  for (size_t i = 0; i < d->n_columns; i++) {
    const schema_field *field = field_of(d->schema, i);
    if (!field_is_sane(field, schema_size) || (size_t)field->name_size > room ||
        !column_is_sane(&d->columns[i], field, arena_size, &taken, max_records))
      return false;
    room -= (size_t)field->name_size;
  }
  return true;
}

/* ---- names -------------------------------------------------------------------------------- */

/* Compare short strings, for which a call of memcmp costs more than the comparison. */
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

static inline uint64_t hash_of(wire name, bool of_lists) {
  const uint64_t multiplier = UINT64_C(0x9e3779b97f4a7c15);
  size_t size = (size_t)(name.end - name.at);
  uint64_t hash = 2 * size + of_lists;
  if (size >= 8) {
    for (size_t i = 0; i < size - 8; i += 8) {
      hash = (hash ^ load_le64(name.at + i)) * multiplier;
      hash ^= hash >> 32;
    }
    hash ^= load_le64(name.at + size - 8);
  } else {
    for (size_t i = 0; i < size; i++)
      hash = hash << 8 ^ name.at[i];
  }
  return hash * multiplier; /* so that the first bits depend on all bytes */
}

static inline wire name_of(const decoder *d, uint32_t i) {
  const schema_field *field = field_of(d->schema, i);
  const uint8_t *name = d->schema + field->name_offset;
  return (wire){name, name + field->name_size};
}

/* Return a number < 0, 0 or > 0 if the name sorts before, equals or sorts after the entry's.
 */
static inline int compare(const decoder *d, uint64_t hash, wire name, bool of_lists,
                          const name_entry *entry) {
  if (hash != entry->hash)
    return hash < entry->hash ? -1 : 1;
  wire other = name_of(d, entry->field);
  bool lists = is_list(field_of(d->schema, entry->field));
  int64_t size = name.end - name.at, other_size = other.end - other.at;
  if (lists != of_lists || size != other_size)
    return lists != of_lists ? of_lists - lists : size < other_size ? -1 : 1;
  return memcmp(name.at, other.at, (size_t)size);
}

/* Return the first field with that name, or -1. */
static inline int64_t field_named(const decoder *d, wire key, bool of_lists) {
  uint64_t hash = hash_of(key, of_lists);
  uint32_t low = d->first[hash >> d->shift], high = d->first[(hash >> d->shift) + 1];
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    int order = compare(d, hash, key, of_lists, &d->names[middle]);
    if (order == 0)
      return d->names[middle].leader;
    if (order < 0)
      high = middle;
    else
      low = middle + 1;
  }
  return -1;
}

static bool comes_before(const decoder *d, const name_entry *a, const name_entry *b) {
  bool of_lists = is_list(field_of(d->schema, a->field));
  int order = compare(d, a->hash, name_of(d, a->field), of_lists, b);
  return order != 0 ? order < 0 : a->field < b->field;
}

/* Restore the heap below entry i: no entry sorts before its children. Heapsort takes n log n for
 * any names, in place. */
static void sift(const decoder *d, name_entry *heap, size_t i, size_t n) {
  for (size_t child; (child = 2 * i + 1) < n; i = child) {
    child += child + 1 < n && comes_before(d, &heap[child], &heap[child + 1]);
    if (!comes_before(d, &heap[i], &heap[child]))
      return;
    name_entry lower = heap[i];
    heap[i] = heap[child];
    heap[child] = lower;
  }
}

static void sort_names(const decoder *d, name_entry *names, size_t n) {
  for (size_t i = n / 2; i-- > 0;)
    sift(d, names, i, n);
  for (size_t left = n; left-- > 1;) {
    name_entry last = names[0];
    names[0] = names[left];
    names[left] = last;
    sift(d, names, 0, left);
  }
}

static void index_names(decoder *d) {
  uint32_t n = (uint32_t)d->n_columns;
  size_t n_buckets = (size_t)1 << (64 - d->shift);
  memset(d->first, 0, (n_buckets + 1) * sizeof *d->first);
  d->twins = d->lists = false;
  for (uint32_t i = 0; i < n;
       i++) { /* count the names of each bucket, and store each hash in the column's scratch */
    bool of_lists = is_list(field_of(d->schema, i));
    uint64_t hash = hash_of(name_of(d, i), of_lists);
    d->lists |= of_lists;
    d->columns[i].scratch[0] = (int64_t)hash;
    d->columns[i].scratch[LEADER] = i;
    d->first[hash >> d->shift]++;
    d->after[i] = -1;
  }
  d->after[n] = -1;
  for (size_t bucket = 0, total = 0; bucket <= n_buckets; bucket++)
    d->first[bucket] = (uint32_t)(total += d->first[bucket]);
  for (uint32_t i = n; i-- > 0;) {
    uint64_t hash = (uint64_t)d->columns[i].scratch[0];
    d->names[--d->first[hash >> d->shift]] = (name_entry){hash, i, i};
  }
  for (size_t bucket = 0; bucket < n_buckets; bucket++) {
    uint32_t from = d->first[bucket], to = d->first[bucket + 1];
    if (to - from < 2)
      continue;
    sort_names(d, d->names + from, to - from);
    for (name_entry *entry = d->names + from + 1; entry < d->names + to; entry++) {
      bool of_lists = is_list(field_of(d->schema, entry->field));
      if (compare(d, entry->hash, name_of(d, entry->field), of_lists, entry - 1) != 0)
        continue;
      d->twins = true;
      entry->leader = entry[-1].leader;
      d->columns[entry->field].scratch[LEADER] = entry->leader;
    }
  }
}

/* ---- copies ------------------------------------------------------------------------------- */

static inline size_t aligned(size_t size) { return (size + 7) & ~(size_t)7; }

/* Copy the columns and the schema, and reserve room for the names. `small` has SMALL bytes. Return
 * false if there is no memory. */
static bool take_tables(decoder *d, void *small, const ck_column *columns, const uint8_t *schema,
                        size_t schema_size) {
  size_t n = d->n_columns;
  for (d->shift = 62; (size_t)1 << (64 - d->shift) < 4 * n;) /* most unknown names match none */
    d->shift--;
  size_t n_first = ((size_t)1 << (64 - d->shift)) + 1;
  size_t of_columns = n * sizeof(ck_column), of_names = n * sizeof(name_entry);
  size_t size = of_columns + of_names + aligned(schema_size) + n_first * sizeof *d->first +
                (n + 1) * sizeof *d->after;
  d->allocated = size > SMALL ? malloc(size) : NULL;
  uint8_t *at = size > SMALL ? d->allocated : small;
  if (!at)
    return false;
  d->columns = (ck_column *)at;
  d->names = (name_entry *)(at += of_columns);
  d->schema = at += of_names;
  d->first = (uint32_t *)(at += aligned(schema_size));
  d->after = (int32_t *)(d->first + n_first);
  copy_once(d->columns, columns, of_columns);
  copy_once((uint8_t *)d->schema, schema, schema_size);
  return true;
}

/* Write the lengths of the columns to the caller's table, and free the copies. */
static void leave_tables(const decoder *d, ck_column *columns) {
  for (size_t i = 0; i < d->n_columns; i++) {
    columns[i].length = d->columns[i].length;
    columns[i].data_length = d->columns[i].data_length;
  }
  free(d->allocated);
}
