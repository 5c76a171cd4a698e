"""The contents of a record's messages: the kind and number of values of each feature."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from ffi_cookbook.bindings._glue.framing import Fault
from ffi_cookbook.bindings.python.example import messages
from ffi_cookbook.bindings.python.wire import BYTES, FIXED32, VARINT, Field, fields
from ffi_cookbook.records.columns.fields import Kind

_KIND_OF_MEMBER: dict[int, Kind] = {1: "bytes", 2: "float32", 3: "int64"}
_CONTINUED = bytes(range(0x80, 0x100))  # the bytes of a varint that others follow

Values: TypeAlias = tuple[Kind | None, int]
"""Kind and number of values."""


def contents(data: bytes) -> tuple[dict[str, Values], dict[str, list[Values]]]:
    """Return each feature by name, and the steps of each feature list; the last of a name counts.

    Raises:
        ValueError: the record is neither a tf.train.Example nor a SequenceExample.
    """
    view = memoryview(data)
    try:
        features = {name: _values(view, parts) for name, parts in _entries(view, 1)}
        lists = {
            name: [_values(view, [step]) for part in parts for step in messages(view, part, 1)]
            for name, parts in _entries(view, 2)
        }
    except Fault as fault:
        where = f"{fault.code.name} at byte {fault.offset}"
        raise ValueError(f"not a tf.train.Example: {where} of its data") from None
    return features, lists


def _entries(view: memoryview, number: int) -> Iterator[tuple[str, list[Field]]]:
    """Yield the name and values of every entry of a record's maps with this field number.

    A byte of a name that is not valid UTF-8 becomes a surrogate.
    """
    for entries in messages(view, Field(0, BYTES, 0, 0, 0, len(view)), number):
        for entry in messages(view, entries, 1):
            parts = [one for one in fields(view, entry.start, entry.end) if one.type == BYTES]
            keys = [view[one.start : one.end] for one in parts if one.number == 1] or [view[:0]]
            name = bytes(keys[-1]).decode(errors="surrogateescape")
            yield name, [one for one in parts if one.number == 2]


def _values(view: memoryview, parts: list[Field]) -> Values:
    """Return the kind and number of values of a Feature, whose parts merge."""
    kind, n = 0, 0
    for member in (one for part in parts for one in fields(view, part.start, part.end)):
        if member.number not in _KIND_OF_MEMBER or member.type != BYTES:
            continue
        kind, n = member.number, n if member.number == kind else 0
        for item in fields(view, member.start, member.end):
            if item.number != 1:
                continue
            if item.type == BYTES and kind == 2:
                n += (item.end - item.start) // 4
            elif item.type == BYTES and kind == 3:
                n += len(bytes(view[item.start : item.end]).translate(None, _CONTINUED))
            elif item.type == {1: BYTES, 2: FIXED32, 3: VARINT}[kind]:
                n += 1
    return _KIND_OF_MEMBER.get(kind), n
