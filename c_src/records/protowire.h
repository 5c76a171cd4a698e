/* The protobuf wire format, read field by field.
 *
 *   wire_field field;
 *   while (wire_next(&message, &field, &fault))
 *     if (field.tag == WIRE_TAG(1, WIRE_BYTES)) ... field.body ...
 *   if (fault.code) ...
 *
 * A tag is number << 3 | type. A value of type WIRE_BYTES begins with its length:
 *
 *     0a 03 61 62 63      field 1, type 2 (WIRE_BYTES), 3 bytes: "abc"
 *
 * A caller skips a field that it does not know by ignoring it. */
#pragma once

#include "frame.h"

enum { WIRE_VARINT, WIRE_FIXED64, WIRE_BYTES, WIRE_START, WIRE_END, WIRE_FIXED32 };
#define WIRE_TAG(number, type) ((number) << 3 | (type))
enum { WIRE_MAX_DEPTH = 64 };

typedef struct {
  const uint8_t *at, *end; /* the rest of a message, or the bytes of a value */
} wire;

typedef struct {
  const uint8_t *at; /* the tag */
  const uint8_t *value_at;
  uint32_t tag;
  wire body; /* the value without its length; empty for a group */
} wire_field;

typedef struct {
  int code; /* a ck_code; CK_OK if nothing is wrong */
  const uint8_t *at;
  int64_t expected, actual;
} wire_fault;

static bool wire_fail(wire_fault *fault, int code, const uint8_t *at, int64_t expected,
                      int64_t actual) {
  *fault = (wire_fault){code, at, expected, actual};
  return false;
}

static bool wire_varint(wire *message, uint64_t *value, wire_fault *fault) {
  const uint8_t *start = message->at;
  *value = 0;
  for (int shift = 0; shift < 70 && message->at < message->end; shift += 7) {
    uint64_t byte = read_once(*message->at++);
    *value |= (byte & 0x7f) << shift;
    if (byte < 0x80)
      return true;
  }
  return wire_fail(fault, CK_VARINT, start, 0, 0);
}

static bool wire_tag(wire *message, uint32_t *tag, wire_fault *fault) {
  const uint8_t *start = message->at;
  uint64_t value;
  if (!wire_varint(message, &value, fault))
    return false;
  if (message->at - start > 5 || value > UINT32_MAX)
    return wire_fail(fault, CK_VARINT, start, 0, 0);
  if (value >> 3 == 0 || (value & 7) > WIRE_FIXED32)
    return wire_fail(fault, CK_WIRE_TYPE, start, 0, 0);
  *tag = (uint32_t)value;
  return true;
}

/* Read a value that is not a group. */
static bool wire_value(wire *message, wire_field *field, wire_fault *fault) {
  field->value_at = message->at;
  uint64_t size = 0;
  switch (field->tag & 7) {
  case WIRE_VARINT:
    field->body.at = message->at;
    field->body.end = message->at;
    if (!wire_varint(message, &size, fault))
      return false;
    field->body.end = message->at;
    return true;
  case WIRE_FIXED64:
    size = 8;
    break;
  case WIRE_FIXED32:
    size = 4;
    break;
  case WIRE_BYTES:
    if (!wire_varint(message, &size, fault))
      return false;
    break;
  default:
    return wire_fail(fault, CK_WIRE_TYPE, field->at, 0, 0);
  }
  size_t left = (size_t)(message->end - message->at);
  if (size > left)
    return wire_fail(fault, CK_SUBMESSAGE_LENGTH, field->value_at, (int64_t)left, (int64_t)size);
  field->body = (wire){message->at, message->at + size};
  message->at += size;
  return true;
}

/* Skip to the end tag that matches the start tag just read. */
static bool wire_group(wire *message, const wire_field *start, wire_fault *fault) {
  struct {
    const uint8_t *at;
    uint32_t number;
  } open[WIRE_MAX_DEPTH] = {{start->at, start->tag >> 3}};

  for (int depth = 1; depth > 0;) {
    if (message->at == message->end)
      return wire_fail(fault, CK_WIRE_TYPE, open[depth - 1].at, 0, 0);
    wire_field field = {.at = message->at};
    if (!wire_tag(message, &field.tag, fault))
      return false;
    uint32_t number = field.tag >> 3, type = field.tag & 7;
    if (type == WIRE_START && depth < WIRE_MAX_DEPTH) {
      open[depth].at = field.at;
      open[depth++].number = number;
    } else if (type == WIRE_END && number == open[depth - 1].number) {
      depth--;
    } else if (!wire_value(message, &field, fault)) {
      return false;
    }
  }
  return true;
}

static __attribute__((noinline)) bool wire_any_field(wire *message, wire_field *field,
                                                     wire_fault *fault) {
  field->at = message->at;
  if (!wire_tag(message, &field->tag, fault))
    return false;
  if ((field->tag & 7) != WIRE_START)
    return wire_value(message, field, fault);
  field->body = (wire){message->at, message->at};
  return wire_group(message, field, fault);
}

/* Read one field, value and all. Return false at the end of the message or at a fault. */
static inline bool wire_next(wire *message, wire_field *field, wire_fault *fault) {
  const uint8_t *at = message->at;
  size_t left = (size_t)(message->end - at);
  if (left == 0)
    return false;
  if (left >= 2) { /* nearly always: WIRE_BYTES, with a tag and a length of one byte each */
    uint32_t tag = (uint32_t)read_once(at[0]), size = (uint32_t)read_once(at[1]);
    if ((tag & 0x87) == WIRE_BYTES && tag >= 8 && size < 0x80 && size <= left - 2) {
      *field = (wire_field){at, at + 1, tag, {at + 2, at + 2 + size}};
      message->at = at + 2 + size;
      return true;
    }
  }
  wire rest =
      *message; /* copies, so that the caller's `message` and `field` can stay in registers */
  wire_field any;
  bool good = wire_any_field(&rest, &any, fault);
  *message = rest;
  *field = any;
  return good;
}

/* Read the next field if it is length-delimited and has this tag of one byte; else return false. */
static inline bool wire_only(wire *message, uint8_t tag, wire *body) {
  const uint8_t *at = message->at;
  size_t left = (size_t)(message->end - at);
  if (left < 2 || *at != tag)
    return false;
  size_t size = (size_t)read_once(at[1]);
  at += 2;
  left -= 2;
  for (int shift = 7; size >> shift != 0;
       shift += 7) { /* the top bit of the last group is set, and cleared by the exclusive or */
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
