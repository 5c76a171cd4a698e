/* A field of the schema and its column: checks of both, and the functions that append values. */
#pragma once

#include "protowire.h"
#include "varint_block.h"

/* A field in a schema, which may begin at any address. */
typedef ck_field schema_field __attribute__((aligned(1)));

static inline const schema_field *field_of(const uint8_t *schema, size_t i) {
  return (const schema_field *)schema + i;
}

/* Return the member of Feature's oneof that holds values of this kind. */
static int member_of(int kind) {
  return kind == CK_SPANS ? CK_BYTES : kind > CK_INT64 ? CK_INT64 : kind;
}

static inline bool is_list(const schema_field *field) { return field->form >= CK_LIST; }

/* Return true if every Feature must have `length` values. */
static inline bool has_length(const schema_field *field) {
  return field->form == CK_DENSE || field->form == CK_DENSE_LIST;
}

static inline bool has_data(const schema_field *field) {
  return field->kind == CK_BYTES && field->form != CK_STEPS;
}

/* Return true if the column's values are offsets, which follow a leading 0. */
static inline bool has_offsets(const schema_field *field) {
  return field->kind == CK_BYTES || field->form == CK_STEPS;
}

static int64_t item_size(const schema_field *field) {
  static const int8_t sizes[] = {[CK_BYTES] = 8, [CK_FLOAT] = 4,  [CK_INT64] = 8,
                                 [CK_INT32] = 4, [CK_UINT16] = 2, [CK_SPANS] = sizeof(ck_span)};
  return field->form == CK_STEPS ? 8 : sizes[field->kind];
}

/* ---- the arguments ------------------------------------------------------------------------ */

/* Return true if `count` + `extra` items of `size` bytes at `offset` lie within the arena, and not
 * before *taken, which becomes their end: no two parts of an arena share bytes. */
static bool take(size_t arena_size, int64_t *taken, int64_t offset, int64_t count, int64_t extra,
                 int64_t size) {
  if (offset < *taken || offset % 8 != 0 || (size_t)offset > arena_size || count < 0 ||
      (arena_size - (size_t)offset) / (size_t)size < (size_t)count + (size_t)extra)
    return false;
  *taken = offset + (count + extra) * size;
  return true;
}

/* A limit on the values of all steps together: more than any buffer holds, and far from where a sum
 * would overflow. */
static const int64_t MOST_VALUES = INT64_C(1) << 62;

/* `*taken` is the end of the columns before this one, and becomes its end. */
static bool column_is_sane(const ck_column *column, const schema_field *field, size_t arena_size,
                           int64_t *taken, int64_t max_records) {
  if (column->length < 0 || column->length > column->capacity)
    return false;
  if (field->form != CK_DENSE && !take(arena_size, taken, column->row_offsets, max_records, 1, 8))
    return false;
  if (!take(arena_size, taken, column->values, column->capacity, has_offsets(field),
            item_size(field)))
    return false;
  if (!has_offsets(field))
    return true;
  int64_t most = has_data(field) ? column->data_capacity : MOST_VALUES;
  return column->data_length >= 0 && column->data_length <= most &&
         (!has_data(field) || take(arena_size, taken, column->data, column->data_capacity, 0, 1));
}

static bool field_is_sane(const schema_field *field, size_t schema_size) {
  return field->name_offset >= 0 && field->name_size >= 0 &&
         (size_t)field->name_offset + (size_t)field->name_size <= schema_size &&
         field->kind >= CK_BYTES && field->kind <= CK_SPANS && field->form >= CK_RAGGED &&
         field->form <= CK_STEPS && (!has_length(field) || field->length >= 0);
}

/* ---- values ------------------------------------------------------------------------------- */

/* The values of one record that are being appended to a column. They are written after those in
 * use. Values that do not fit are only counted, so that the caller learns how much room the record
 * needs. */
typedef struct {
  uint8_t *values; /* room for `room` values; for bytes, the offset at which each value ends */
  int64_t room;
  int64_t n;
  uint8_t *data; /* bytes only */
  int64_t data_room, data_start, data_size;
} appender;

static inline appender append_to(uint8_t *arena, const ck_column *column,
                                 const schema_field *field) {
  bool offsets = has_offsets(field); /* value i ends at offset number i + 1 */
  appender out = {.room = column->capacity - column->length};
  out.values = arena + column->values + (column->length + offsets) * item_size(field);
  if (offsets)
    out.data_start = column->data_length;
  if (has_data(field)) {
    out.data = arena + column->data + column->data_length;
    out.data_room = column->data_capacity - column->data_length;
  }
  return out;
}

/* Append the end of a value of `size` bytes, or of a step of `size` values. */
static inline void append_end(appender *out, int64_t size) {
  out->data_size += size;
  if (out->n < out->room)
    ((int64_t *)out->values)[out->n] = out->data_start + out->data_size;
  out->n++;
}

static inline void append_bytes(appender *out, wire value) {
  int64_t size = value.end - value.at;
  if (size <= out->data_room - out->data_size)
    memcpy(out->data + out->data_size, value.at, (size_t)size);
  append_end(out, size);
}

static inline void append_span(appender *out, int64_t offset, int64_t size) {
  if (out->n < out->room)
    ((ck_span *)out->values)[out->n] = (ck_span){offset, size};
  out->n++;
}

static inline void append_floats(appender *out, wire run) {
  int64_t n = (run.end - run.at) / 4;
  if (n <= out->room - out->n) {
    uint8_t *to = out->values + out->n * 4;
    for (int64_t i = 0; i < n; i++) {
      uint32_t value = load_le32(run.at + 4 * i);
      memcpy(to + 4 * i, &value, 4);
    }
  }
  out->n += n;
}

/* ---- integers ----------------------------------------------------------------------------- */

/* Decode many integers from the beginning of the run into `out`. Return the number of bytes
 * decoded, or 0 if none can be decoded in this way. */
static inline size_t append_run(appender *out, int kind, wire run, const uint8_t *readable,
                                const varint_runs *varints) {
  size_t size = (size_t)(run.end - run.at), there = (size_t)(readable - run.at);
  int64_t room = out->room - out->n;
  varints_taken all;
  if (kind == CK_INT64)
    all = varints->run64(run.at, size, there, (uint64_t *)out->values + out->n, room);
  else if (kind == CK_INT32) /* at most 28 bits, so always in range */
    all = varints->run32(run.at, size, there, (uint32_t *)out->values + out->n, room);
  else
    all = varints->run16(run.at, size, there, (uint16_t *)out->values + out->n, room);
  out->n += all.values;
  return all.bytes;
}

static inline bool append_integer(appender *out, int kind, int64_t value, const uint8_t *at,
                                  wire_fault *fault) {
  int64_t low = kind == CK_INT64 ? INT64_MIN : kind == CK_INT32 ? INT32_MIN : 0;
  int64_t high = kind == CK_INT64 ? INT64_MAX : kind == CK_INT32 ? INT32_MAX : UINT16_MAX;
  if (value < low || value > high)
    return wire_fail(fault, CK_RANGE, at, value < low ? low : high, value);
  if (out->n < out->room) {
    if (kind == CK_INT64)
      ((int64_t *)out->values)[out->n] = value;
    else if (kind == CK_INT32)
      ((int32_t *)out->values)[out->n] = (int32_t)value;
    else
      ((uint16_t *)out->values)[out->n] = (uint16_t)value;
  }
  out->n++;
  return true;
}

/* Up to this many bytes, decoding one by one is faster. */
enum { FEW = 8 };

/* Append the varints of a run. `readable` is the end of the whole input, up to which bytes may be
 * read. */
static inline bool append_varints(appender *out, int kind, wire run, const uint8_t *readable,
                                  const varint_runs *varints, wire_fault *fault) {
  while (run.at < run.end) {
    if (run.end - run.at > FEW && out->room - out->n >= VARINT_BLOCK) {
      size_t used = append_run(out, kind, run, readable, varints);
      run.at += used;
      if (used > 0)
        continue;
    }
    /* Decode one by one at the end of the run, of the input or of the room, and where a varint is
     * long or out of range. */
    const uint8_t *at = run.at;
    uint64_t value;
    if (!wire_varint(&run, &value, fault) || !append_integer(out, kind, (int64_t)value, at, fault))
      return false;
  }
  return true;
}
