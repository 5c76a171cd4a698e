/* Decoding in one walk, for Examples in the form that nearly every writer uses: one Features; in
 * it, entries of a key and a Feature, in this order; in each Feature, one list; and no key twice.
 *
 * Records written by one program have their features in one order, so the field that came next in
 * the last record is tried first. All other records, and every fault, go to the two walks of
 * decoder.h: nothing is committed before a record has been accepted. */
#pragma once

#include "decoder.h"

/* Append the values of field i. It is compiled for each kind, and only for features, not for
 * feature lists. */
static __attribute__((always_inline)) inline bool values_of(decoder *d, size_t i, int kind,
                                                            wire message, const uint8_t *record) {
  schema_field field = *field_of(d->schema, i);
  field.kind = kind;
  field.form = field.form == CK_DENSE ? CK_DENSE : CK_RAGGED;
  feature found = {.kind = member_of(kind), .kind_at = message.at};
  wire_fault fault = {0};
  wire list;
  if (!only_list(message, kind, &list))
    return false;
  appender out = append_to(d->arena, &d->columns[i], &field);
  return plain_list(&out, kind, list, d, &fault) &&
         is_wanted(&field, &found, out.n, record, &fault) &&
         has_room(&d->columns[i], &field, &out, record, &fault);
}

static inline bool plain_values(decoder *d, size_t i, wire message, const uint8_t *record) {
  switch (field_of(d->schema, i)->kind) {
  case CK_BYTES:
    return values_of(d, i, CK_BYTES, message, record);
  case CK_FLOAT:
    return values_of(d, i, CK_FLOAT, message, record);
  case CK_INT64:
    return values_of(d, i, CK_INT64, message, record);
  case CK_INT32:
    return values_of(d, i, CK_INT32, message, record);
  case CK_UINT16:
    return values_of(d, i, CK_UINT16, message, record);
  default:
    return values_of(d, i, CK_SPANS, message, record);
  }
}

static bool decode_plain(decoder *d, wire record) {
  const uint8_t *start = record.at;
  wire features, entry, key, value;
  if (d->twins || d->lists || !wire_only(&record, WIRE_TAG(1, WIRE_BYTES), &features) ||
      record.at != record.end)
    return false;
  for (size_t i = 0; i < d->n_columns; i++)
    d->columns[i].scratch[LENGTH] = -1;

  size_t found = 0;
  for (int64_t before = -1; features.at != features.end;) {
    if (!wire_only(&features, WIRE_TAG(1, WIRE_BYTES), &entry) ||
        !wire_only(&entry, WIRE_TAG(1, WIRE_BYTES), &key) ||
        !wire_only(&entry, WIRE_TAG(2, WIRE_BYTES), &value) || entry.at != entry.end)
      return false;
    int32_t *likely = &d->after[before + 1];
    int64_t i = *likely;
    if (i < 0 || !is_named(d, i, key)) {
      i = field_named(d, key, false);
      if (i < 0)
        continue;
      *likely = (int32_t)i;
    }
    if (d->columns[i].scratch[LENGTH] >= 0 || !plain_values(d, (size_t)i, value, start))
      return false;
    found++;
    before = i;
  }
  for (size_t i = 0; found < d->n_columns && i < d->n_columns; i++) {
    ck_column *column = &d->columns[i];
    if (column->scratch[LENGTH] >= 0)
      continue;
    if (field_of(d->schema, i)->form == CK_DENSE)
      return false;
    column->scratch[LENGTH] = column->length;
    column->scratch[DATA_LENGTH] = column->data_length;
  }
  return true;
}
