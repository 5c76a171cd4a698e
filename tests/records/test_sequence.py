"""SequenceExamples: their semantics, and the room that they need."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest

from ffi_cookbook.bindings.errors import Code, RecordError
from ffi_cookbook.records import Schema, encode_sequence_example, frame
from ffi_cookbook.records.columns.arena import Arena
from support import wire
from support.record_kernels import same_everywhere

pytestmark = pytest.mark.part("decode_examples", kernels=True)


CONTEXT = {"i": [1, -1, 300], "f": [0.5, 2.0]}
LISTS = {"li": [[1, 2], [], [3]], "lf": [np.zeros(0), [0.5]], "lb": [b"xyz", [b"", b"q"]]}
RECORD = encode_sequence_example(CONTEXT, LISTS)


def test_no_room() -> None:
    file = frame(RECORD) * 3
    outcomes = set()
    schema = Schema({}, sequence=wire.LISTS)
    for room in [(0, 100), (1, 100), (2, 100), (3, 100), (4, 100), (7, 100), (20, 0), (20, 9)]:
        error, _, _ = same_everywhere(file, schema, room=room)
        assert error[0] in (Code.CAPACITY, Code.DATA_CAPACITY)
        assert error[4] > error[5]
        outcomes.add((error[0], error[3]))
    assert {(Code.CAPACITY, "li"), (Code.DATA_CAPACITY, "lb")} <= outcomes


# ---- semantics -----------------------------------------------------------------------------


def entry(name: bytes, *lists: bytes) -> bytes:
    return wire.message(1, wire.message(1, name) + b"".join(wire.message(2, x) for x in lists))


def steps(*features_: bytes) -> bytes:
    return b"".join(wire.message(1, feature) for feature in features_)


def ints(*values: int) -> bytes:
    return wire.message(3, wire.message(1, bytes(values)))


def read(backend: ModuleType, *maps: bytes, length: int | None = None) -> Any:
    """Return the list "x" of one record with these FeatureLists, or the fields of the error."""
    schema = Schema({}, sequence={"x": "int64" if length is None else ("int64", length)})
    buffer = frame(b"".join(wire.message(2, entries) for entries in maps))
    arena, cursor = Arena(schema, 4), np.zeros(4, np.int64)
    try:
        backend.decode_examples(buffer, schema.buffer, arena.memory, arena.table, cursor, 4)
    except RecordError as error:
        return error.code, error.byte_offset, error.field, error.expected, error.actual
    column = arena.batch(1)["x"]
    return [step.tolist() for step in column[0]]


def test_semantics(backend: ModuleType) -> None:
    def x(*features_: bytes) -> bytes:
        return entry(b"x", steps(*features_))

    assert read(backend) == read(backend, b"") == read(backend, x()) == []
    assert read(backend, x(ints(1, 2), b"", ints(3))) == [[1, 2], [], [3]]
    assert read(backend, x(ints(1)) + x(ints(2))) == [[2]]  # the last entry wins
    assert read(backend, x(ints(1)), x(ints(2))) == [[2]]
    assert read(backend, entry(b"x", steps(ints(1)), steps(ints(2)))) == [[1], [2]]
    assert read(backend, x(ints(1) + ints(2), ints(3))) == [[1, 2], [3]]  # a member extends it
    floats = wire.message(2, b"")
    assert read(backend, x(ints(9), ints(1) + floats + ints(2))) == [[9], [2]]  # or replaces it
    mismatch = read(backend, x(ints(9), ints(1) + floats))
    assert mismatch == (Code.TYPE_MISMATCH, 12 + 2 + 2 + 3 + 2 + 7 + 2 + 5, "x", 3, 2)
    assert read(backend, x(ints(1), ints(2)), length=1) == [[1], [2]]
    assert read(backend, length=1) == []
    assert read(backend, x(ints(1), b""), length=1) == (Code.MISSING, 12, "x", 1, 0)
    assert read(backend, x(ints(1, 2), ints(1)), length=2) == (Code.DENSE_LENGTH, 12, "x", 2, 1)
