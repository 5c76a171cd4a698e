"""The contents of a record's messages: the kind and number of values of each feature."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from ffi_cookbook.records.columns.fields import Kind

_KIND_OF_MEMBER: dict[int, Kind] = {1: "bytes", 2: "float32", 3: "int64"}


class _Field(NamedTuple):
    """A field of a protobuf message, and the bounds of its value."""

    number: int
    type: int
    start: int
    end: int


_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5


def _fields(data: bytes, at: int, end: int) -> Iterator[_Field]:
    while at < end:
        tag, start = _varint(data, at, end)
        number, type = tag >> 3, tag & 7
        size = {_FIXED64: 8, _FIXED32: 4}.get(type, 0)
        if type == _VARINT:
            size = _varint(data, start, end)[1] - start
        elif type == _BYTES:
            size, start = _varint(data, start, end)
        elif not size:
            raise ValueError("not a tf.train.Example that a schema can be made from")
        if size > end - start:
            raise ValueError("not a tf.train.Example: a field runs past its end")
        at = start + size
        yield _Field(number, type, start, at)


def _varint(data: bytes, at: int, end: int) -> tuple[int, int]:
    value = 0
    for i, byte in enumerate(data[at : min(end, at + 10)]):
        value |= (byte & 0x7F) << 7 * i
        if byte < 0x80:
            return value, at + i + 1
    raise ValueError("not a tf.train.Example: a varint runs past its end")


_Feature: TypeAlias = tuple[Kind | None, int]
"""Kind and number of values."""


def names(data: bytes) -> set[str]:
    """Return the names of the features and of the feature lists."""
    return {name for number in (1, 2) for name, _ in _entries(data, number)}


def features(data: bytes) -> dict[str, _Feature]:
    """Return each feature by name; the last of a name counts."""
    return {name: _feature(data, values) for name, values in _entries(data, 1)}


def feature_lists(data: bytes) -> dict[str, list[_Feature]]:
    """Return the steps of each feature list by name; the last of a name counts."""
    return {
        name: [
            _feature(data, [step])
            for value in values
            for step in _submessages(data, value.start, value.end, 1)
        ]
        for name, values in _entries(data, 2)
    }


def _entries(data: bytes, number: int) -> Iterator[tuple[str, list[_Field]]]:
    """Yield the name and values of every entry of a record's maps with this field number.

    A byte of a name that is not valid UTF-8 becomes a surrogate.
    """
    for entries in _submessages(data, 0, len(data), number):
        for entry in _submessages(data, entries.start, entries.end, 1):
            parts = [p for p in _fields(data, entry.start, entry.end) if p.type == _BYTES]
            names = [data[part.start : part.end] for part in parts if part.number == 1]
            name = names[-1].decode(errors="surrogateescape") if names else ""
            yield name, [part for part in parts if part.number == 2]


def _submessages(data: bytes, start: int, end: int, number: int) -> Iterator[_Field]:
    return (f for f in _fields(data, start, end) if (f.number, f.type) == (number, _BYTES))


def _feature(data: bytes, values: list[_Field]) -> _Feature:
    """Return the kind and number of values of an entry, whose values merge."""
    kind, n = 0, 0
    for member in (m for value in values for m in _fields(data, value.start, value.end)):
        if member.number not in _KIND_OF_MEMBER or member.type != _BYTES:
            continue
        kind, n = member.number, n if member.number == kind else 0
        for item in _fields(data, member.start, member.end):
            if item.number != 1:
                continue
            if item.type == _BYTES and kind == 2:
                n += (item.end - item.start) // 4
            elif item.type == _BYTES and kind == 3:
                n += sum(byte < 0x80 for byte in data[item.start : item.end])
            elif item.type == {1: _BYTES, 2: _FIXED32, 3: _VARINT}[kind]:
                n += 1
    return _KIND_OF_MEMBER.get(kind), n
