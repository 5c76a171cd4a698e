/* One tf.train.Example or SequenceExample into columns, as docs/records.md specifies it.
 *
 * A record is walked twice. The first walk finds the entry of every field of the schema; the second
 * decodes these entries in the order of the schema. Between the walks, the `scratch` of a column
 * holds the bounds of its entry. (plain.h decodes most records in one walk.) */
#pragma once

#include "names.h"

/* ---- the first walk ----------------------------------------------------------------------- */

static void remember(decoder *d, wire key, wire entry, bool of_lists) {
  int64_t i = field_named(d, key, of_lists);
  if (i >= 0) {
    d->columns[i].scratch[ENTRY] = entry.at - d->buffer;
    d->columns[i].scratch[ENTRY_END] = entry.end - d->buffer;
  }
}

static bool find_entries(decoder *d, wire example, wire_fault *fault) {
  for (size_t i = 0; i < d->n_columns; i++)
    d->columns[i].scratch[ENTRY] = d->columns[i].scratch[ENTRY_END] = 0;

  wire_field features, entry, part;
  while (wire_next(&example, &features, fault)) {
    bool of_lists = features.tag == WIRE_TAG(2, WIRE_BYTES);
    if (features.tag != WIRE_TAG(1, WIRE_BYTES) && !(of_lists && d->lists))
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
      remember(d, key, entry.body, of_lists);
    }
    if (fault->code)
      return false;
  }
  for (size_t i = 0; d->twins && i < d->n_columns; i++) {
    const ck_column *leader = &d->columns[d->columns[i].scratch[LEADER]];
    d->columns[i].scratch[ENTRY] = leader->scratch[ENTRY];
    d->columns[i].scratch[ENTRY_END] = leader->scratch[ENTRY_END];
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

/* Return true if a Feature is one list of the right kind and nothing else, as nearly all are. */
static inline bool only_list(wire feature, int kind, wire *list) {
  return wire_only(&feature, (uint8_t)WIRE_TAG(member_of(kind), WIRE_BYTES), list) &&
         feature.at == feature.end;
}

/* Append the list of a Feature. A list of numbers is nearly always one packed run. */
static inline bool plain_list(appender *out, int kind, wire list, const decoder *d,
                              wire_fault *fault) {
  wire run, rest = list;
  if (kind == CK_BYTES || kind == CK_SPANS || !wire_only(&rest, WIRE_TAG(1, WIRE_BYTES), &run) ||
      rest.at != rest.end || (kind == CK_FLOAT && (run.end - run.at) % 4 != 0))
    return append_list(out, kind, list, d, fault);
  if (kind != CK_FLOAT)
    return append_varints(out, kind, run, d->end, &d->varints, fault);
  append_floats(out, run);
  return true;
}

/* A Feature that is being decoded: the member of the oneof that is set (0: none), the address of
 * its tag, and the numbers of values and bytes that the column had before this Feature. */
typedef struct {
  int kind;
  const uint8_t *kind_at;
  int64_t n, data_size;
} feature;

/* Append the values of a Feature; they merge with those that came before. */
static inline bool append_feature(appender *out, feature *f, int kind, wire message,
                                  const decoder *d, wire_fault *fault) {
  wire_field member;
  while (wire_next(&message, &member, fault)) {
    if ((member.tag & 7) != WIRE_BYTES || member.tag >> 3 > CK_INT64)
      continue;
    int number = (int)(member.tag >> 3);
    if (number != f->kind) {
      f->kind = number;
      f->kind_at = member.at;
      out->n = f->n;
      out->data_size = f->data_size;
    }
    if (number == member_of(kind) && !append_list(out, kind, member.body, d, fault))
      return false;
  }
  return fault->code == CK_OK;
}

/* Return true if a Feature of `n` values matches the schema. */
static inline bool is_wanted(const schema_field *field, const feature *f, int64_t n,
                             const uint8_t *record, wire_fault *fault) {
  if (f->kind != 0 && f->kind != member_of(field->kind))
    return wire_fail(fault, CK_TYPE_MISMATCH, f->kind_at, member_of(field->kind), f->kind);
  if (!has_length(field))
    return true;
  if (f->kind == 0 || (n == 0 && field->length > 0))
    return wire_fail(fault, CK_MISSING, record, field->length, 0);
  if (n != field->length)
    return wire_fail(fault, CK_DENSE_LENGTH, record, field->length, n);
  return true;
}

/* Return true if the values fit. The new lengths are then in `scratch`, for commit. */
static inline bool has_room(ck_column *column, const schema_field *field, const appender *out,
                            const uint8_t *record, wire_fault *fault) {
  const uint8_t *header = record - HEADER_SIZE;
  if (out->n > out->room)
    return wire_fail(fault, CK_CAPACITY, header, column->length + out->n, column->capacity);
  if (has_data(field) && out->data_size > out->data_room)
    return wire_fail(fault, CK_DATA_CAPACITY, header, column->data_length + out->data_size,
                     column->data_capacity);
  column->scratch[LENGTH] = column->length + out->n;
  column->scratch[DATA_LENGTH] = column->data_length + out->data_size;
  return true;
}

static __attribute__((noinline)) bool append_step(appender *out, feature *f, int kind, wire message,
                                                  const decoder *d, wire_fault *fault) {
  return append_feature(out, f, kind, message, d, fault);
}

/* Append the steps of a FeatureList, each of which is a Feature. For a column of steps the values
 * are only counted. This is compiled for each kind. */
static __attribute__((always_inline)) inline bool steps_of(appender *out, const schema_field *field,
                                                           int kind, wire list, const decoder *d,
                                                           const uint8_t *record,
                                                           wire_fault *fault) {
  bool count = field->form == CK_STEPS;
  wire_field step;
  while (wire_next(&list, &step, fault)) {
    if (step.tag != WIRE_TAG(1, WIRE_BYTES))
      continue;
    appender none = {0}, *values = count ? &none : out;
    feature f = {.n = values->n, .data_size = values->data_size};
    int64_t before = values->n;
    wire only;
    if (only_list(step.body, kind, &only)) {
      f.kind = member_of(kind);
      if (!plain_list(values, kind, only, d, fault))
        return false;
    } else if (!append_step(values, &f, kind, step.body, d, fault)) {
      return false;
    }
    if (!is_wanted(field, &f, values->n - before, record, fault))
      return false;
    if (count)
      append_end(out, none.n);
  }
  return fault->code == CK_OK;
}

static bool append_steps(appender *out, const schema_field *field, wire list, const decoder *d,
                         const uint8_t *record, wire_fault *fault) {
  switch (field->kind) {
  case CK_FLOAT:
    return steps_of(out, field, CK_FLOAT, list, d, record, fault);
  case CK_INT64:
    return steps_of(out, field, CK_INT64, list, d, record, fault);
  case CK_INT32:
    return steps_of(out, field, CK_INT32, list, d, record, fault);
  case CK_UINT16:
    return steps_of(out, field, CK_UINT16, list, d, record, fault);
  default: /* bytes that are only counted are decoded as spans */
    return has_data(field) ? steps_of(out, field, CK_BYTES, list, d, record, fault)
                           : steps_of(out, field, CK_SPANS, list, d, record, fault);
  }
}

static bool decode_field(decoder *d, size_t i, const uint8_t *record, wire_fault *fault) {
  const schema_field *field = field_of(d->schema, i);
  ck_column *column = &d->columns[i];
  appender out = append_to(d->arena, column, field);
  feature f = {0};

  wire entry = {d->buffer + column->scratch[ENTRY], d->buffer + column->scratch[ENTRY_END]};
  wire_field value;
  while (wire_next(&entry, &value, fault)) {
    if (value.tag != WIRE_TAG(2, WIRE_BYTES))
      continue;
    if (is_list(field) ? !append_steps(&out, field, value.body, d, record, fault)
                       : !append_feature(&out, &f, field->kind, value.body, d, fault))
      return false;
  }
  return fault->code == CK_OK && (is_list(field) || is_wanted(field, &f, out.n, record, fault)) &&
         has_room(column, field, &out, record, fault);
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
    const schema_field *field = field_of(d->schema, i);
    ck_column *column = &d->columns[i];
    column->length = column->data_length = 0;
    if (field->form != CK_DENSE)
      offsets_at(d, column->row_offsets)[0] = 0;
    if (has_offsets(field))
      offsets_at(d, column->values)[0] = 0;
  }
}

static void commit(decoder *d, int64_t row) {
  for (size_t i = 0; i < d->n_columns; i++) {
    ck_column *column = &d->columns[i];
    column->length = column->scratch[LENGTH];
    column->data_length = column->scratch[DATA_LENGTH];
    if (field_of(d->schema, i)->form != CK_DENSE)
      offsets_at(d, column->row_offsets)[row + 1] = column->length;
  }
}
