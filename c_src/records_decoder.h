/* records_decoder.h: one tf.train.Example into columns, as docs/records.md tells it.
 *
 * A record is walked twice. The first walk finds the entry of every field of the schema; the
 * second decodes these entries in the schema's order. A column keeps what it needs meanwhile in
 * `scratch`. (records_plain.h does most records in one walk.) */
#ifndef RECORDS_DECODER_H
#define RECORDS_DECODER_H

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
  varint_blocks varints;
  bool twins;               /* two fields of the schema have one name */
  int64_t first[N_BUCKETS]; /* the first field with this hash, or -1 */
  int16_t after[N_BUCKETS]; /* which field followed field i - 1 in the last record, if any */
} decoder;

/* ---- the arguments ------------------------------------------------------------------------ */

static bool table_is_sane(const decoder *d, size_t schema_size, size_t arena_size,
                          int64_t max_records) {
  if ((uintptr_t)d->arena % 8 != 0 || d->n_columns > schema_size / sizeof(ck_field))
    return false;
  for (size_t i = 0; i < d->n_columns; i++) {
    ck_field field = field_of(d->schema, i);
    if (!field_is_sane(&field, schema_size) ||
        !column_is_sane(&d->columns[i], &field, arena_size, max_records))
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
  ck_field field = field_of(d->schema, (size_t)i);
  size_t size = (size_t)(key.end - key.at);
  return (size_t)field.name_size == size && same_bytes(d->schema + field.name_offset, key.at, size);
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
  d->twins = false;
  for (size_t i = 0; i < d->n_columns; i++) {
    ck_field field = field_of(d->schema, i);
    const uint8_t *name = d->schema + field.name_offset;
    size_t bucket = bucket_of(name, (size_t)field.name_size);
    int64_t other = d->first[bucket];
    for (; other >= 0; other = d->columns[other].scratch[NEXT])
      d->twins |= is_named(d, other, (wire){name, name + field.name_size});
    d->columns[i].scratch[NEXT] = d->first[bucket];
    d->first[bucket] = (int64_t)i;
  }
}

/* ---- the first walk ----------------------------------------------------------------------- */

static void remember(decoder *d, wire key, wire entry) {
  int64_t i = d->first[bucket_of(key.at, (size_t)(key.end - key.at))];
  for (; i >= 0; i = d->columns[i].scratch[NEXT])
    if (is_named(d, i, key)) {
      d->columns[i].scratch[ENTRY] = entry.at - d->buffer;
      d->columns[i].scratch[ENTRY_END] = entry.end - d->buffer;
    }
}

static bool find_entries(decoder *d, wire example, wire_fault *fault) {
  for (size_t i = 0; i < d->n_columns; i++)
    d->columns[i].scratch[ENTRY] = d->columns[i].scratch[ENTRY_END] = 0;

  wire_field features, entry, part;
  while (wire_next(&example, &features, fault)) {
    if (features.tag != WIRE_TAG(1, WIRE_BYTES))
      continue;
    while (wire_next(&features.body, &entry, fault)) {
      if (entry.tag != WIRE_TAG(1, WIRE_BYTES))
        continue;
      wire key = {entry.body.at, entry.body.at}, rest = entry.body;
      while (wire_next(&rest, &part, fault))
        if (part.tag == WIRE_TAG(1, WIRE_BYTES))
          key = part.body;
      if (fault->code)
        return false;
      remember(d, key, entry.body);
    }
    if (fault->code)
      return false;
  }
  return fault->code == CK_OK;
}

/* ---- the second walk ---------------------------------------------------------------------- */

static inline bool append_list(appender *out, int kind, wire list, const decoder *d,
                               wire_fault *fault) {
  static const uint32_t single[] = {[CK_BYTES] = WIRE_TAG(1, WIRE_BYTES),
                                    [CK_FLOAT] = WIRE_TAG(1, WIRE_FIXED32),
                                    [CK_INT64] = WIRE_TAG(1, WIRE_VARINT)};
  wire_field item;
  while (wire_next(&list, &item, fault)) {
    if (item.tag != WIRE_TAG(1, WIRE_BYTES) && item.tag != single[member_of(kind)])
      continue;
    int64_t size = item.body.end - item.body.at;
    if (kind == CK_BYTES)
      append_bytes(out, item.body);
    else if (kind == CK_SPANS)
      append_span(out, d->base + (item.body.at - d->buffer), size);
    else if (kind == CK_FLOAT && size % 4 != 0)
      return wire_fail(fault, CK_FLOAT_LENGTH, item.value_at, 0, size);
    else if (kind == CK_FLOAT)
      append_floats(out, item.body);
    else if (!append_varints(out, kind, item.body, d->end, &d->varints, fault))
      return false;
  }
  return fault->code == CK_OK;
}

/* Whether the values of field i are what the schema wants and fit; then they can be committed.
 * `kind`: the member of the oneof that was set at `kind_at`, or 0. */
static inline bool accept(decoder *d, size_t i, const appender *out, int kind,
                          const uint8_t *kind_at, const uint8_t *record, wire_fault *fault) {
  ck_field field = field_of(d->schema, i);
  ck_column *column = &d->columns[i];
  if (kind != 0 && kind != member_of(field.kind))
    return wire_fail(fault, CK_TYPE_MISMATCH, kind_at, member_of(field.kind), kind);
  if (field.dense && (kind == 0 || (out->n == 0 && field.length > 0)))
    return wire_fail(fault, CK_MISSING, record, field.length, 0);
  if (field.dense && out->n != field.length)
    return wire_fail(fault, CK_DENSE_LENGTH, record, field.length, out->n);
  const uint8_t *header = record - HEADER_SIZE;
  if (out->n > out->room)
    return wire_fail(fault, CK_CAPACITY, header, column->length + out->n, column->capacity);
  if (out->data_size > out->data_room)
    return wire_fail(fault, CK_DATA_CAPACITY, header, column->data_length + out->data_size,
                     column->data_capacity);
  column->scratch[LENGTH] = column->length + out->n;
  column->scratch[DATA_LENGTH] = column->data_length + out->data_size;
  return true;
}

static bool decode_field(decoder *d, size_t i, const uint8_t *record, wire_fault *fault) {
  ck_field field = field_of(d->schema, i);
  ck_column *column = &d->columns[i];
  appender out = append_to(d->arena, column, field.kind);
  int kind = 0; /* of the Feature; 0: none yet */
  const uint8_t *kind_at = NULL;

  wire entry = {d->buffer + column->scratch[ENTRY], d->buffer + column->scratch[ENTRY_END]};
  wire_field value, member;
  while (wire_next(&entry, &value, fault)) {
    if (value.tag != WIRE_TAG(2, WIRE_BYTES))
      continue;
    while (wire_next(&value.body, &member, fault)) {
      if ((member.tag & 7) != WIRE_BYTES || member.tag >> 3 > CK_INT64)
        continue;
      int number = (int)(member.tag >> 3);
      if (number != kind) {
        kind = number;
        kind_at = member.at;
        out.n = out.data_size = 0;
      }
      if (kind == member_of(field.kind) && !append_list(&out, field.kind, member.body, d, fault))
        return false;
    }
    if (fault->code)
      return false;
  }
  if (fault->code)
    return false;

  return accept(d, i, &out, kind, kind_at, record, fault);
}

static bool decode_record(decoder *d, wire record, wire_fault *fault, int64_t *field) {
  const uint8_t *start = record.at;
  *field = -1;
  if (!find_entries(d, record, fault))
    return false;
  while (++*field < (int64_t)d->n_columns)
    if (!decode_field(d, (size_t)*field, start, fault))
      return false;
  return true;
}

/* ---- a batch ------------------------------------------------------------------------------ */

static int64_t *offsets_at(const decoder *d, int64_t arena_offset) {
  return (int64_t *)(d->arena + arena_offset);
}

static void start_batch(decoder *d) {
  for (size_t i = 0; i < d->n_columns; i++) {
    ck_field field = field_of(d->schema, i);
    ck_column *column = &d->columns[i];
    column->length = column->data_length = 0;
    if (!field.dense)
      offsets_at(d, column->row_offsets)[0] = 0;
    if (field.kind == CK_BYTES)
      offsets_at(d, column->values)[0] = 0;
  }
}

static void commit(decoder *d, int64_t row) {
  for (size_t i = 0; i < d->n_columns; i++) {
    ck_column *column = &d->columns[i];
    column->length = column->scratch[LENGTH];
    column->data_length = column->scratch[DATA_LENGTH];
    if (!field_of(d->schema, i).dense)
      offsets_at(d, column->row_offsets)[row + 1] = column->length;
  }
}

#endif
