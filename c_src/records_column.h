/* records_column.h: a field of the schema, its column, and the way of values into it. */
#ifndef RECORDS_COLUMN_H
#define RECORDS_COLUMN_H

#include "protowire.h"
#include "varint_block.h"

static ck_field field_of(const uint8_t *schema, size_t i) {
  ck_field field;
  memcpy(&field, schema + i * sizeof field, sizeof field);
  return field;
}

/* Whether `count` + `extra` items of `size` bytes at `offset` lie within the arena. */
static bool fits(size_t arena_size, int64_t offset, int64_t count, int64_t extra, int64_t size) {
  return offset >= 0 && offset % 8 == 0 && (size_t)offset <= arena_size && count >= 0 &&
         (arena_size - (size_t)offset) / (size_t)size >= (size_t)count + (size_t)extra;
}

static bool column_is_sane(const ck_column *column, const ck_field *field, size_t arena_size,
                           int64_t max_records) {
  if (column->length < 0 || column->length > column->capacity)
    return false;
  if (!field->dense && !fits(arena_size, column->row_offsets, max_records, 1, 8))
    return false;
  if (field->kind != CK_BYTES)
    return fits(arena_size, column->values, column->capacity, 0, field->kind == CK_FLOAT ? 4 : 8);
  return column->data_length >= 0 && column->data_length <= column->data_capacity &&
         fits(arena_size, column->values, column->capacity, 1, 8) &&
         fits(arena_size, column->data, column->data_capacity, 0, 1);
}

static bool field_is_sane(const ck_field *field, size_t schema_size) {
  return field->name_offset >= 0 && field->name_size >= 0 &&
         (size_t)field->name_offset + (size_t)field->name_size <= schema_size &&
         field->kind >= CK_BYTES && field->kind <= CK_INT64 &&
         (!field->dense || field->length >= 0);
}

/* Takes the values of one record. They are written behind those in use, but only counted once they
 * no longer fit, so that a caller learns what room the record needs. */
typedef struct {
  void *values; /* float[room], int64_t[room], or for bytes value offsets: int64_t[room] */
  int64_t room;
  int64_t n;
  uint8_t *data; /* bytes only */
  int64_t data_room, data_start, data_size;
} appender;

static appender append_to(uint8_t *arena, const ck_column *column, int kind) {
  appender out = {.room = column->capacity - column->length};
  uint8_t *values = arena + column->values;
  switch (kind) {
  case CK_FLOAT:
    out.values = values + column->length * (int64_t)sizeof(float);
    break;
  case CK_INT64:
    out.values = values + column->length * (int64_t)sizeof(int64_t);
    break;
  case CK_BYTES: /* the offsets start with a 0: value i ends at offset i + 1 */
    out.values = values + (column->length + 1) * (int64_t)sizeof(int64_t);
    out.data = arena + column->data + column->data_length;
    out.data_room = column->data_capacity - column->data_length;
    out.data_start = column->data_length;
  }
  return out;
}

static void append_bytes(appender *out, wire value) {
  int64_t size = value.end - value.at;
  if (size <= out->data_room - out->data_size)
    memcpy(out->data + out->data_size, value.at, (size_t)size);
  out->data_size += size;
  if (out->n < out->room)
    ((int64_t *)out->values)[out->n] = out->data_start + out->data_size;
  out->n++;
}

static void append_floats(appender *out, wire run) {
  int64_t n = (run.end - run.at) / 4;
  if (n <= out->room - out->n) {
    uint8_t *to = (uint8_t *)out->values + out->n * 4;
    for (int64_t i = 0; i < n; i++) {
      uint32_t value = load_le32(run.at + 4 * i);
      memcpy(to + 4 * i, &value, 4);
    }
  }
  out->n += n;
}

/* `readable` is the end of the whole input, up to which a block may read ahead. */
static bool append_varints(appender *out, wire run, const uint8_t *readable, varint_block *block,
                           wire_fault *fault) {
  uint64_t *values = out->values;
  while (run.at < run.end) {
    if (run.end - run.at > 8 && readable - run.at >= VARINT_BLOCK_READS &&
        out->room - out->n >= VARINT_BLOCK) {
      size_t used;
      size_t n = block(run.at, (size_t)(run.end - run.at), values + out->n, &used);
      out->n += (int64_t)n;
      run.at += used;
      if (n > 0)
        continue;
    }
    uint64_t value;
    if (!wire_varint(&run, &value, fault))
      return false;
    if (out->n < out->room)
      values[out->n] = value;
    out->n++;
  }
  return true;
}

#endif
