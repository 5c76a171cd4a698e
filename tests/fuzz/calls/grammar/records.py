"""Valid calls of the records kernels, on files made by the project's own writer."""

from __future__ import annotations

import random
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from ffi_cookbook.records import Schema, encode_sequence_example, frame, index
from ffi_cookbook.records.columns.arena import Arena

from ..case import Case, Function
from ..verdict import plain

VALUES = {
    "int64": [[1], [1, -1, 300], [], [2**40, -(2**63)], list(range(40))],
    "float32": [[0.5], [1.5, 2.0, -1.0], [], [0.0] * 20],
    "bytes": [[b"xyz"], [b"", b"q"], [], [b"w" * 30] * 3],
}
KINDS = {
    "int64": "int64",
    "int32": "int64",
    "uint16": "int64",
    "float32": "float32",
    "bytes": "bytes",
    "span": "bytes",
}


class Scene(NamedTuple):
    """A file, its schema, and room for the columns."""

    data: bytes
    schema: bytes
    arena: int
    columns: Any
    rows: int
    spans: Any


@cache
def scenes(scale: int) -> list[Scene]:
    """Return forty files with their schemas, the same in every process."""
    rng = random.Random(1)
    return [scene(rng, scale) for _ in range(40)]


def scene(rng: random.Random, scale: int) -> Scene:
    names = [f"f{i}" for i in range(rng.choice((0, 1, 2, 3)))]
    fields = {name: _field(rng) for name in names}
    lists = {f"l{i}": _field(rng) for i in range(rng.choice((0, 0, 1, 2)))}
    rows = scale * rng.choice((0, 1, 2, 4))
    records = []
    for _ in range(rows):
        context = {name: _values(rng, field) for name, field in fields.items()}
        steps = {
            n: [_values(rng, f) for _ in range(rng.choice((0, 1, 3)))] for n, f in lists.items()
        }
        records.append(encode_sequence_example(context, steps))
    schema = Schema(fields, sequence=lists)
    data = b"".join(frame(record) for record in records)
    rooms = ((0, 0), (2, 4), (100 * scale, 200 * scale), (100 * scale, 200 * scale))
    room = [rng.choice(rooms) for _ in schema.columns]
    arena = Arena(schema, rows + 1, room)
    spans = index(data, backend="python") if data else np.zeros((0, 2), np.int64)
    return Scene(data, schema.buffer, arena.memory.size, arena.table.copy(), rows + 1, spans)


def _field(rng: random.Random) -> Any:
    kind = rng.choice([*KINDS])
    return kind if rng.random() < 0.7 else (kind, rng.choice((1, 2, 3)))


def _values(rng: random.Random, field: Any) -> list[Any]:
    kind, length = field if isinstance(field, tuple) else (field, None)
    values = rng.choice(VALUES[KINDS[kind]])
    if kind in ("int32", "uint16"):
        values = [abs(value) % 60000 for value in values]
    if length is not None and rng.random() < 0.9:
        values = ((values or [VALUES[KINDS[kind]][0][0]]) * length)[:length]
    return values


def array(case: Case, x: Any) -> Any:
    """Return a copy at a guard page, or on the heap, where it can be resized."""
    return x.copy() if case.rng.random() < 0.3 else case.memory.place(x)


def cursor(case: Case) -> Any:
    return array(case, np.array([case.rng.choice((0, 0, 5)), 0, case.rng.choice((0, 3)), 0]))


def buffer(case: Case, data: bytes) -> Any:
    how = case.rng.randrange(3)
    return (data, bytearray(data), case.memory.place(np.frombuffer(data, np.uint8)))[how]


def _schema(case: Case, data: bytes) -> Any:
    return data if case.rng.random() < 0.5 else case.memory.place(np.frombuffer(data, np.uint8))


# ---- the four kernels -------------------------------------------------------------------------


def make_index(case: Case) -> dict[str, tuple[str, Any]]:
    given, rng = case.rng.choice(scenes(case.scale)), case.rng
    return {
        "buffer": ("buffer", buffer(case, given.data)),
        "spans": ("array", array(case, np.zeros((rng.choice((0, 1, 2, 9)), 2), np.int64))),
        "cursor": ("array", cursor(case)),
        "verify": ("flag", rng.random() < 0.7),
        "final": ("flag", rng.random() < 0.7),
        "resync": ("flag", rng.random() < 0.2),
    }


def make_examples(case: Case) -> dict[str, tuple[str, Any]]:
    given, rng = case.rng.choice(scenes(case.scale)), case.rng
    return {
        "buffer": ("buffer", buffer(case, given.data)),
        "schema": ("buffer", _schema(case, given.schema)),
        "arena": ("array", array(case, np.zeros(given.arena, np.uint8))),
        "columns": ("array", array(case, given.columns)),
        "cursor": ("array", cursor(case)),
        "max_records": ("int", rng.choice((given.rows, given.rows, 1))),
        "verify": ("flag", rng.random() < 0.7),
        "final": ("flag", rng.random() < 0.7),
    }


def make_gather(case: Case) -> dict[str, tuple[str, Any]]:
    given = case.rng.choice(scenes(case.scale))
    return {
        "buffer": ("buffer", buffer(case, given.data)),
        "spans": ("array", array(case, given.spans[::-1].copy())),
        "schema": ("buffer", _schema(case, given.schema)),
        "arena": ("array", array(case, np.zeros(given.arena, np.uint8))),
        "columns": ("array", array(case, given.columns)),
        "cursor": ("array", np.zeros(4, np.int64)),
        "verify": ("flag", case.rng.random() < 0.7),
    }


def make_fixed(case: Case) -> dict[str, tuple[str, Any]]:
    rng = case.rng
    n, rows = rng.choice((0, 1, 1, 2, 3)), case.scale * rng.choice((0, 1, 5, 20))
    fields, offset, at = [], 0, 0
    for _ in range(n):
        size, count, swap = rng.choice((1, 2, 4, 8)), rng.choice((1, 1, 3)), rng.randrange(2)
        fields.append([offset, size, count, swap, at])
        offset += size * count
        at += -(-size * count * rows // 8) * 8
    size = max(1, offset + rng.choice((0, 0, 3)))
    data = bytes(range(256))[: size * rows] if size * rows < 256 else bytes(size * rows)
    return {
        "buffer": ("buffer", buffer(case, data)),
        "record_size": ("int", size),
        "fields": ("array", array(case, np.array(fields, np.int64).reshape(-1, 5))),
        "arena": ("array", array(case, np.zeros(at, np.uint8))),
        "cursor": ("array", cursor(case)),
        "max_records": ("int", rows),
        "final": ("flag", rng.random() < 0.7),
    }


# ---- calls and results -------------------------------------------------------------------------


def call(name: str) -> Any:
    return lambda backend, v: getattr(backend, name)(*v.values())


def digest(case: Case, result: Any) -> Any:
    """Return the rows, the cursor, and the written memory where it is defined."""
    v = case.values
    written: list[Any] = [plain(result), plain(_raw(v.get("cursor")))]
    if "spans" in v and "arena" not in v:
        written.append(plain(np.asarray(v["spans"]).reshape(-1, 2)[: _rows(result)]))
    if "fields" in v:
        written.append(plain(_raw(v["arena"])))
    if "columns" in v:
        table = _raw(v["columns"])
        written.append(plain(np.asarray(table).reshape(-1, 10)[:, :7]))
    return written


def _raw(x: Any) -> Any:
    return np.ndarray.view(x, np.ndarray) if isinstance(x, np.ndarray) else x


def _rows(result: Any) -> int:
    return result if isinstance(result, int) else 0


def function(name: str, part: str, make: Any, weight: int = 1) -> Function:
    return Function(name, part, make, call(name), digest, weight=weight)


RECORDS = [
    function("index_records", "index_records", make_index, 2),
    function("decode_examples", "decode_examples", make_examples, 4),
    function("gather_examples", "decode_examples", make_gather, 3),
    function("decode_fixed", "decode_fixed", make_fixed, 3),
]
