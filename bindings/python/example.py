"""tf.train.Example and SequenceExample: the values of each field of a schema, from one record.

Example  {1: Features}    Features {1: entry*}   entry {1: key, 2: Feature}
Feature  oneof {1: BytesList, 2: FloatList, 3: Int64List}, and each list is {1: values}
SequenceExample  {1: Features, 2: FeatureLists}
FeatureLists     {1: entry*}   entry {1: key, 2: FeatureList}   FeatureList {1: Feature*}
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

from ffi_cookbook.bindings._glue.framing import Fault, Frame
from ffi_cookbook.bindings.errors import Code
from ffi_cookbook.bindings.python.schema import (
    FEATURES,
    KIND_BYTES,
    KIND_FLOAT,
    KIND_INT32,
    KIND_INT64,
    KIND_SPANS,
    KIND_UINT16,
    LIST,
    MEMBERS,
    STEPS,
    SchemaField,
)
from ffi_cookbook.bindings.python.wire import BYTES, FIXED32, VARINT, Field, fields, varint

_MEMBER = {KIND_INT32: KIND_INT64, KIND_UINT16: KIND_INT64, KIND_SPANS: KIND_BYTES}
_RANGES = {
    KIND_INT64: (-(2**63), 2**63 - 1),
    KIND_INT32: (-(2**31), 2**31 - 1),
    KIND_UINT16: (0, 2**16 - 1),
}

Values: TypeAlias = list[Any]
"""The values of a field.

These are (start, end) in the buffer, or ints: the bits of a float32, an integer itself, or, of a
column of steps, the number of values of each step.
"""


# ---- the first pass: the place of each feature ------------------------------------------------


def find_entries(
    view: memoryview, frame: Frame, places: set[tuple[int, bytes]]
) -> dict[tuple[int, bytes], Field]:
    """Return the last entry of each name, in a walk over the whole record.

    Its feature lists are read only if one of them is wanted.
    """
    entries, maps = {}, {FEATURES, *(number for number, _ in places)}
    for part in fields(view, *frame):
        if part.number not in maps or part.type != BYTES:
            continue
        for entry in messages(view, part, 1):
            key = b""
            for name in messages(view, entry, 1):
                key = bytes(view[name.start : name.end])
            if (part.number, key) in places:
                entries[part.number, key] = entry
    return entries


def messages(view: memoryview, message: Field, number: int) -> Iterator[Field]:
    """Return the length-delimited fields with this number."""
    return (
        field
        for field in fields(view, message.start, message.end)
        if (field.number, field.type) == (number, BYTES)
    )


# ---- the second pass: its values --------------------------------------------------------------


def decode_entry(view: memoryview, frame: Frame, entry: Field | None, field: SchemaField) -> Values:
    """Return the values of a feature, or of all steps of a list, checked against the schema."""
    parts = messages(view, entry, 2) if entry else ()
    if field.form < LIST:
        return _decode_feature(view, frame, parts, field)
    values: Values = []
    for feature_list in parts:
        for step in messages(view, feature_list, 1):
            of_step = _decode_feature(view, frame, [step], field)
            values += [len(of_step)] if field.form == STEPS else of_step
    return values


def _decode_feature(
    view: memoryview, frame: Frame, parts: Iterable[Field], field: SchemaField
) -> Values:
    """Return the values of a Feature, whose parts merge."""
    member_of_field = _MEMBER.get(field.kind, field.kind)
    kind, kind_at = 0, 0
    values: Values = []
    for part in parts:
        for member in fields(view, part.start, part.end):
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
                unsigned, after = varint(view, start, end)
                value = unsigned - 2**64 if unsigned >= 2**63 else unsigned
                if not low <= value <= high:
                    raise Fault(Code.RANGE, start, low if value < low else high, value)
                values.append(value)
                start = after
    return values
