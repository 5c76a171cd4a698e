"""Calls of the records kernels, and the results that tests compare with."""

from __future__ import annotations

import random
from operator import attrgetter
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt
from hypothesis import strategies as st

from ffi_cookbook.bindings.errors import RecordError
from ffi_cookbook.records import Schema, encode_example, frame
from ffi_cookbook.records.columns.arena import Arena
from support import wire
from support.backends import KERNELS, binding
from support.example_proto import feature_lists, features

RANDOM = Schema(wire.KINDS)
NARROW = Schema({"b": "span", "i": "uint16", "f": "float32", "missing": "int32"})
OTHERS = Schema({"i": "int32", "f": "bytes", "b": ("span", 1)})
SEQUENCE = Schema(wire.KINDS, sequence=wire.LISTS)
SEQUENCES = [
    SEQUENCE,
    Schema({"b": "span", "i": "int32"}, sequence={"lb": "span", "li": "uint16"}),
    Schema({}, sequence={"li": ("int64", 1), "lb": ("bytes", 2), "lf": ("float32", 3)}),
    Schema({"f": "bytes"}, sequence={"i": "int64", "nobody asked": "float32"}),
    Schema({"f": "bytes"}, sequence={"li": ("int32", 2), "lf": "int64", "lb": ("span", 1)}),
]
SMALL = Schema({"i": "int64", "f": ("float32", 2), "b": "bytes", "missing": "float32"})
ROWS = [
    {"i": [1, -1, 300], "f": [0.5, 2.0], "b": [b"xyz", b""], "other": [1]},
    {"f": [1.0, -1.0], "i": []},
    {"b": b"q", "f": [3.0, 4.0], "i": 2**40},
]
FILE = b"".join(frame(encode_example(row)) for row in ROWS)

Columns = dict[str, list[npt.NDArray[Any]]]
Facts = tuple[Any, ...]
FACTS = attrgetter("code", "byte_offset", "record", "field", "expected", "actual", "path")


def arrays(arena: Arena, schema: Schema, rows: int) -> Columns:
    """Return the parts of each column."""
    batch = arena.batch(rows)
    return {name: parts(batch[name]) for name in schema.names}


def parts(column: Any) -> list[npt.NDArray[Any]]:
    """Return the arrays of a column: values or data, then offsets, the innermost first."""
    if isinstance(column, np.ndarray):
        return [column]
    names = ("values", "data", "value_offsets", "offsets")
    found = [getattr(column, name) for name in names if hasattr(column, name)]
    return [array for part in found for array in parts(part)]


def decode(
    backend: ModuleType,
    buffer: Any,
    schema: Schema,
    *,
    verify: bool = True,
    final: bool = True,
    rows: int = 64,
    room: tuple[int, int] = (8192, 65536),
) -> tuple[Any, list[int], Columns]:
    """Return the six fields of the error or None, the cursor and the columns."""
    arena = Arena(schema, rows, [room] * len(schema.columns))
    cursor = np.zeros(4, np.int64)
    arguments = (buffer, schema.buffer, arena.memory, arena.table, cursor, rows, verify, final)
    error = None
    try:
        assert backend.decode_examples(*arguments) == cursor[3]
    except RecordError as caught:
        error = facts(caught)
    return error, cursor.tolist(), arrays(arena, schema, int(cursor[3]))


def same_everywhere(buffer: bytes, schema: Schema, **options: Any) -> Any:
    """Return the reference's result, after a check that every kernel gives the same."""
    reference = decode(binding("python"), buffer, schema, **options)
    for name in KERNELS:
        error, cursor, found = decode(binding(name), buffer, schema, **options)
        assert (error, cursor) == reference[:2], name
        assert_same(found, reference[2])
    return reference


DAMAGE = st.lists(st.tuples(st.integers(0), st.binary(max_size=4)))


def damaged(record: bytes, damage: list[tuple[int, bytes]], rng: random.Random) -> bytes:
    """Yield the record with some of its bytes replaced, once from each of these indices on."""
    found = bytearray(record)
    for at, replacement in damage:
        start = at % (len(found) + 1)
        found[start : start + rng.randrange(4)] = replacement
    return bytes(found)


def facts(error: RecordError) -> Facts:
    assert str(error.code.name) in str(error)
    return FACTS(error)


def assert_same(found: Columns, expected: Columns) -> None:
    assert found.keys() == expected.keys()
    for name, parts in expected.items():
        for part, wanted in zip(found[name], parts, strict=True):
            assert part.dtype == wanted.dtype, name
            assert part.tobytes() == wanted.tobytes(), name


def expected_columns(records: list[bytes], schema: Schema) -> Columns:
    """Return the columns that protobuf reads from the records."""
    parsed = [features(record) for record in records]
    found: Columns = {}
    for field in schema.fields:
        rows = [record.get(field.name, ("", [])) for record in parsed]
        found[field.name] = ragged(rows, field.kind)
    parsed_lists = [feature_lists(record) for record in records] if schema.sequence else []
    for field in schema.sequence:
        lists = [record.get(field.name, []) for record in parsed_lists]
        steps = ragged([step for row in lists for step in row], field.kind)
        found[field.name] = [*steps, offsets_of(lists)]
    return found


def ragged(rows: list[tuple[str, list[Any]]], kind: str) -> list[npt.NDArray[Any]]:
    """Return features, which are of this kind or empty, as a ragged column."""
    assert {found for found, _ in rows} <= {"", kind}
    flat = [value for _, values in rows for value in values]
    offsets = offsets_of([values for _, values in rows])
    if kind == "bytes":
        return [np.frombuffer(b"".join(flat), np.uint8), offsets_of(flat), offsets]
    return [np.array(flat, kind), offsets]


def offsets_of(rows: list[Any]) -> npt.NDArray[np.int64]:
    return np.cumsum([0, *map(len, rows)], dtype=np.int64)
