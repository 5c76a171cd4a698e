/* records_plain.h: the way nearly every writer writes an Example, decoded in one walk.
 *
 * One Features; in it entries of a key and a Feature, in this order; in that one list; and no key
 * twice. Records written by one program have their features in one order, so the field that came
 * next in the last record is the first to be tried. Whatever is not so, and every fault, is left to
 * the two walks of records_decoder.h: nothing is committed before a record has been accepted. */
#ifndef RECORDS_PLAIN_H
#define RECORDS_PLAIN_H

#include "records_decoder.h"

/* Reads a length-delimited field with this tag of one byte. */
static inline bool plain_field(wire *message, uint8_t tag, wire *body) {
  const uint8_t *at = message->at;
  size_t left = (size_t)(message->end - at);
  if (left < 2 || *at != tag)
    return false;
  size_t size = (size_t)read_once(at[1]);
  at += 2;
  left -= 2;
  for (int shift = 7; size >> shift != 0; shift += 7) { /* the top bit of the last group is set */
    if (left == 0 || shift > 28)
      return false;
    size = (size ^ (size_t)1 << shift) | (size_t)read_once(*at++) << shift;
    left--;
  }
  if (size > left)
    return false;
  *body = (wire){at, at + size};
  message->at = at + size;
  return true;
}

static inline int64_t field_named(const decoder *d, wire key) {
  int64_t i = d->first[bucket_of(key.at, (size_t)(key.end - key.at))];
  while (i >= 0 && !is_named(d, i, key))
    i = d->columns[i].scratch[NEXT];
  return i;
}

static inline bool plain_values(decoder *d, size_t i, wire message, const uint8_t *record) {
  ck_field field = field_of(d->schema, i);
  int kind = member_of(field.kind);
  feature found = {.kind = kind, .kind_at = message.at};
  wire_fault fault = {0};
  wire list;
  if (!plain_field(&message, (uint8_t)WIRE_TAG(kind, WIRE_BYTES), &list) ||
      message.at != message.end)
    return false;
  appender out = append_to(d->arena, &d->columns[i], &field);
  return append_list(&out, field.kind, list, d, &fault) &&
         is_wanted(&field, &found, out.n, record, &fault) && has_room(d, i, &out, record, &fault);
}

static bool decode_plain(decoder *d, wire record) {
  const uint8_t *start = record.at;
  wire features, entry, key, value;
  if (d->twins || d->lists || !plain_field(&record, WIRE_TAG(1, WIRE_BYTES), &features) ||
      record.at != record.end)
    return false;
  for (size_t i = 0; i < d->n_columns; i++)
    d->columns[i].scratch[LENGTH] = -1;

  size_t found = 0;
  for (int64_t before = -1; features.at != features.end;) {
    if (!plain_field(&features, WIRE_TAG(1, WIRE_BYTES), &entry) ||
        !plain_field(&entry, WIRE_TAG(1, WIRE_BYTES), &key) ||
        !plain_field(&entry, WIRE_TAG(2, WIRE_BYTES), &value) || entry.at != entry.end)
      return false;
    int16_t *likely = before + 1 < N_BUCKETS ? &d->after[before + 1] : NULL;
    int64_t i = likely ? *likely : -1;
    if (i < 0 || !is_named(d, i, key)) {
      i = field_named(d, key);
      if (i < 0)
        continue;
      if (likely && i <= INT16_MAX)
        *likely = (int16_t)i;
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
    if (field_of(d->schema, i).form == CK_DENSE)
      return false;
    column->scratch[LENGTH] = column->length;
    column->scratch[DATA_LENGTH] = column->data_length;
  }
  return true;
}

#endif
