"""The protobuf wire format: a message is a sequence of fields, read one by one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ffi_cookbook.bindings._glue.framing import Fault
from ffi_cookbook.bindings.errors import Code

VARINT, FIXED64, BYTES, START_GROUP, END_GROUP, FIXED32 = range(6)
MAX_DEPTH = 64


class Field(NamedTuple):
    """One field of a message; the numbers are offsets into the buffer."""

    number: int
    type: int
    tag: int  # where the tag begins
    value: int  # where the tag ends: at the value or, if BYTES, its length
    start: int  # the value itself; for a group, the offset after it
    end: int


def fields(view: memoryview, at: int, end: int) -> Iterator[Field]:
    """Yield the fields of the message view[at:end], each read to its end, even if it is unknown."""
    while at < end:
        field = _field(view, at, end)
        yield field
        at = field.end


def varint(view: memoryview, at: int, end: int) -> tuple[int, int]:
    """Return (the unsigned value, the offset after it)."""
    value = 0
    for i, byte in enumerate(view[at : min(end, at + 10)]):
        value |= (byte & 0x7F) << 7 * i
        if byte < 0x80:
            return value & (2**64 - 1), at + i + 1
    raise Fault(Code.VARINT, at)


def _tag(view: memoryview, at: int, end: int) -> tuple[int, int, int]:
    value, after = varint(view, at, end)
    if after - at > 5 or value >= 2**32:
        raise Fault(Code.VARINT, at)
    number, type = value >> 3, value & 7
    if number == 0 or type > FIXED32:
        raise Fault(Code.WIRE_TYPE, at)
    return number, type, after


def _field(view: memoryview, at: int, end: int) -> Field:
    number, type, value = _tag(view, at, end)
    if type == START_GROUP:
        after = _skip_group(view, at, end)
        return Field(number, type, at, value, after, after)
    return Field(number, type, at, value, *_value(view, type, at, value, end))


def _value(view: memoryview, type: int, tag: int, at: int, end: int) -> tuple[int, int]:
    """Return the bounds of the value at `at`, which is not a group."""
    if type == VARINT:
        return at, varint(view, at, end)[1]
    if type == BYTES:
        size, start = varint(view, at, end)
    elif type in (FIXED32, FIXED64):
        size, start = 4 if type == FIXED32 else 8, at
    else:
        raise Fault(Code.WIRE_TYPE, tag)
    if size > end - start:
        claimed = size - 2**64 if size >= 2**63 else size
        raise Fault(Code.SUBMESSAGE_LENGTH, at, end - start, claimed)
    return start, start + size


def _skip_group(view: memoryview, at: int, end: int) -> int:
    """Return the offset after the group whose start tag is at `at`."""
    open_groups: list[tuple[int, int]] = []  # (number, offset of its start tag)
    while at < end:
        number, type, after = _tag(view, at, end)
        if type == START_GROUP and len(open_groups) < MAX_DEPTH:
            open_groups.append((number, at))
        elif type == END_GROUP and number == open_groups[-1][0]:
            open_groups.pop()
            if not open_groups:
                return after
        else:
            after = _value(view, type, at, after, end)[1]
        at = after
    raise Fault(Code.WIRE_TYPE, open_groups[-1][1])
