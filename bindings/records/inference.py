"""The schema of a file, from its own records."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple, cast

import numpy as np

from bindings.records.doors import open_door
from bindings.records.index import walk
from bindings.records.inflate import Compression
from bindings.records.schema import Feature, Kind, Schema
from bindings.records.source import CHUNK, Source, open_source

_KIND_OF_MEMBER: dict[int, Kind] = {1: "bytes", 2: "float32", 3: "int64"}


def infer(source: Source, records: int, compression: Compression) -> Schema:
    """See `Schema.infer`."""
    kinds: dict[str, Kind] = {}
    lengths: dict[str, set[int]] = {}
    seen: dict[str, int] = {}
    n = 0
    for data in islice(_records(source, compression), records):
        n += 1
        for name, (kind, length) in _features(data).items():
            if kind and kinds.setdefault(name, kind) != kind:
                raise ValueError(f"feature {name!r} is {kinds[name]} here and {kind} there")
            if kind:
                lengths.setdefault(name, set()).add(length)
                seen[name] = seen.get(name, 0) + 1
    if n == 0:
        raise ValueError("a file without records has no schema")

    def feature(name: str) -> Feature:
        always = seen[name] == n and len(lengths[name]) == 1 and 0 not in lengths[name]
        return (kinds[name], max(lengths[name])) if always else kinds[name]

    return Schema({name: feature(name) for name in sorted(kinds)})


def _records(source: Source, compression: Compression) -> Iterator[bytes]:
    cursor = np.zeros(4, np.int64)
    with open_source(source, compression, CHUNK) as window:
        for spans in walk(open_door(None), window, cursor, True, "raise", None):
            for start, size in (spans - [cursor[0], 0]).tolist():
                yield bytes(window.data[start : start + size])


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


def _features(data: bytes) -> dict[str, tuple[Kind | None, int]]:
    """Kind and number of values of each feature, the last of a name."""
    found = {}
    for features in _submessages(data, 0, len(data), 1):
        for entry in _submessages(data, features.start, features.end, 1):
            name, feature = "", (cast("Kind | None", None), 0)
            for part in _fields(data, entry.start, entry.end):
                if part.number == 1:
                    name = data[part.start : part.end].decode(errors="replace")
                elif part.number == 2:
                    feature = _feature(data, part.start, part.end)
            found[name] = feature
    return found


def _submessages(data: bytes, start: int, end: int, number: int) -> Iterator[_Field]:
    return (f for f in _fields(data, start, end) if (f.number, f.type) == (number, _BYTES))


def _feature(data: bytes, start: int, end: int) -> tuple[Kind | None, int]:
    kind, n = 0, 0
    for member in _fields(data, start, end):
        if member.number not in _KIND_OF_MEMBER or member.type != _BYTES:
            continue
        kind, n = member.number, n if member.number == kind else 0
        for item in _fields(data, member.start, member.end):
            if item.number != 1:
                continue
            if item.type != _BYTES or kind == 1:
                n += 1
            elif kind == 2:
                n += (item.end - item.start) // 4
            else:
                n += sum(byte < 0x80 for byte in data[item.start : item.end])
    return _KIND_OF_MEMBER.get(kind), n
