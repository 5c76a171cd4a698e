"""tf.train.Example: one record into the values of each field of a schema.

Example  {1: Features}    Features {1: entry*}   entry {1: key, 2: Feature}
Feature  oneof {1: BytesList, 2: FloatList, 3: Int64List}, and each list is {1: values}
"""

from __future__ import annotations

import struct
from typing import Any, NamedTuple, TypeAlias

from bindings.errors import Code
from bindings.python.framing import Fault, Frame
from bindings.python.wire import BYTES, FIXED32, VARINT, Field, fields, varint

KIND_BYTES, KIND_FLOAT, KIND_INT64 = MEMBERS = 1, 2, 3  # these are members of Feature's oneof
KIND_INT32, KIND_UINT16, KIND_SPANS = 4, 5, 6

_MEMBER = {KIND_INT32: KIND_INT64, KIND_UINT16: KIND_INT64, KIND_SPANS: KIND_BYTES}
_RANGES = {
    KIND_INT64: (-(2**63), 2**63 - 1),
    KIND_INT32: (-(2**31), 2**31 - 1),
    KIND_UINT16: (0, 2**16 - 1),
}

Values: TypeAlias = list[Any]
"""Of (start, end) in the buffer; or of ints, the bits of a float32 or an integer itself."""


class SchemaField(NamedTuple):
    """One field of a schema; `length` is None when it is ragged."""

    name: bytes
    kind: int
    length: int | None


def read_schema(schema: bytes, n_fields: int) -> list[SchemaField]:
    """The first `n_fields` of a schema buffer: 24 bytes each (ck_field), then the names."""
    if len(schema) < 24 * n_fields:
        raise Fault(Code.ARGUMENT, 0)
    result = []
    for i in range(n_fields):
        offset, size, kind, dense, length = struct.unpack_from("=iiiiq", schema, 24 * i)
        if not (
            offset >= 0
            and 0 <= size <= len(schema) - offset
            and KIND_BYTES <= kind <= KIND_SPANS
            and (not dense or length >= 0)
        ):
            raise Fault(Code.ARGUMENT, 0)
        name = schema[offset : offset + size]
        result.append(SchemaField(name, kind, length if dense else None))
    return result


# ---- the first pass: where is each feature? ---------------------------------------------------


def find_entries(view: memoryview, frame: Frame, names: set[bytes]) -> dict[bytes, Field]:
    """The last entry of each name, in a walk over the whole record."""
    entries = {}
    for features in fields(view, *frame):
        if (features.number, features.type) != (1, BYTES):
            continue
        for entry in fields(view, features.start, features.end):
            if (entry.number, entry.type) != (1, BYTES):
                continue
            key = b""
            for part in fields(view, entry.start, entry.end):
                if (part.number, part.type) == (1, BYTES):
                    key = bytes(view[part.start : part.end])
            if key in names:
                entries[key] = entry
    return entries


# ---- the second pass: what does it hold? ------------------------------------------------------


def decode_entry(view: memoryview, frame: Frame, entry: Field | None, field: SchemaField) -> Values:
    """The values of one feature, checked against the schema."""
    member_of_field = _MEMBER.get(field.kind, field.kind)
    kind, kind_at = 0, 0
    values: Values = []
    for value in fields(view, entry.start, entry.end) if entry else ():
        if (value.number, value.type) != (2, BYTES):
            continue
        for member in fields(view, value.start, value.end):
            if member.number not in MEMBERS or member.type != BYTES:
                continue
            if member.number != kind:
                kind, kind_at = member.number, member.tag
                values.clear()
            if kind == member_of_field:
                values += _list_values(view, member, field.kind)

    n = len(values)
    if kind not in (0, member_of_field):
        raise Fault(Code.TYPE_MISMATCH, kind_at, member_of_field, kind)
    if field.length is not None:
        if kind == 0 or (n == 0 and field.length > 0):
            raise Fault(Code.MISSING, frame.start, field.length)
        if n != field.length:
            raise Fault(Code.DENSE_LENGTH, frame.start, field.length, n)
    return values


def _list_values(view: memoryview, member: Field, kind: int) -> Values:
    values: Values = []
    for item in fields(view, member.start, member.end):
        start, end = item.start, item.end
        if item.number != 1:
            continue
        if kind in (KIND_BYTES, KIND_SPANS) and item.type == BYTES:
            values.append((start, end))
        elif kind == KIND_FLOAT and item.type in (BYTES, FIXED32):
            if (end - start) % 4 != 0:
                raise Fault(Code.FLOAT_LENGTH, item.value, 0, end - start)
            values += struct.unpack(f"<{(end - start) // 4}I", view[start:end])
        elif kind in _RANGES and item.type in (BYTES, VARINT):
            low, high = _RANGES[kind]
            while start < end:
                unsigned, behind = varint(view, start, end)
                value = unsigned - 2**64 if unsigned >= 2**63 else unsigned
                if not low <= value <= high:
                    raise Fault(Code.RANGE, start, low if value < low else high, value)
                values.append(value)
                start = behind
    return values
