"""The records kernels read Examples and SequenceExamples as protobuf does."""

from __future__ import annotations

import gzip
import random
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from ffi_cookbook import records
from ffi_cookbook.bindings.errors import Code, RecordError
from ffi_cookbook.records import Schema, encode_example, frame
from support import wire
from support.backends import binding
from support.example_proto import Example, feature_lists, features, has_nan
from support.record_kernels import (
    RANDOM,
    SEQUENCE,
    Columns,
    assert_same,
    decode,
    expected_columns,
)

pytestmark = pytest.mark.part("decode_examples", kernels=True)

MAKERS = {RANDOM: wire.example, SEQUENCE: wire.sequence_example}


@cache
def generated(schema: Schema, n: int) -> tuple[bytes, int, Columns]:
    """Return messages written in every legal way, and protobuf's reading of them."""
    rng = random.Random(7)
    made = [MAKERS[schema](rng) for _ in range(n)]
    made = [record for record in made if not has_nan(record)]
    return b"".join(map(frame, made)), len(made), expected_columns(made, schema)


@pytest.mark.part("decode_examples", kernels=True, native=True)
@pytest.mark.parametrize(
    ("schema", "n"),
    [(RANDOM, 20_000), (SEQUENCE, 5_000), pytest.param(RANDOM, 100_000, marks=pytest.mark.full)],
    ids=["examples", "sequences", "many examples"],
)
def test_generated(backend: ModuleType, schema: Schema, n: int) -> None:
    buffer, n, expected = generated(schema, n)
    room = 60 * n, 2000 * n
    error, cursor, found = decode(backend, buffer, schema, rows=n, room=room)
    assert error is None
    assert cursor == [0, len(buffer), n, n]
    assert_same(found, expected)


def real_files(folder: Path) -> list[Path]:
    files = [path for path in (folder / "records").rglob("*") if "tfrecord" in path.name.lower()]
    files += (folder / "records").rglob("Split-*.gz")
    return sorted({path for path in files if path.is_file()})


@cache
def real(path: Path) -> tuple[bytes, Schema, int, Columns]:
    data = path.read_bytes()
    if data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    spans = np.zeros((len(data) // 16, 2), np.int64)
    n = binding("python").index_records(data, spans, np.zeros(4, np.int64), False)
    found = [data[at : at + size] for at, size in spans[:n].tolist()]
    kinds: dict[str, Any] = {}
    lists: dict[str, Any] = {}
    for record in found:
        kinds.update({name: kind for name, (kind, _) in features(record).items() if kind})
        if "sequence" in str(path):
            steps = [(name, step) for name, row in feature_lists(record).items() for step in row]
            lists.update({name: kind for name, (kind, _) in steps if kind})
    schema = Schema(dict(sorted(kinds.items())), sequence=lists)
    return data, schema, n, expected_columns(found, schema)


@pytest.mark.part("decode_examples", kernels=True, native=True)
def test_real_files(backend: ModuleType, data: Path | None) -> None:
    paths = real_files(data) if data else []
    assert sum("sequence" in str(path) for path in paths) == (2 if data else 0)
    for path in paths:
        buffer, schema, n, expected = real(path)
        room = (n * 800, len(buffer))
        error, cursor, found = decode(backend, buffer, schema, rows=n, room=room)
        assert error is None, path
        assert cursor == [0, len(buffer), n, n]
        assert_same(found, expected)


# ---- Columns that are narrower than the file's values: small integers, and spans of bytes.


LIMITS = {"int32": (-(2**31), 2**31 - 1), "uint16": (0, 2**16 - 1)}


def read(file: Any, backend: ModuleType, **features: Any) -> records.Batch:
    (batch,) = records.read(file, records.Schema(features), backend=backend)
    return batch


@pytest.mark.parametrize("kind", LIMITS)
def test_values_are_those_of_protobuf(backend: ModuleType, kind: str) -> None:
    rng, (low, high) = random.Random(kind), LIMITS[kind]
    choices = [0, 1, 127, 128, 2**14 - 1, 2**14, low, high, rng.randrange(low, high)]
    rows = [rng.choices(choices, k=rng.choice([0, 1, 5, 40, 300])) for _ in range(60)]
    rows += [rng.choices(range(most), k=2000) for most in (100, 2**13, 2**16)]
    file = b"".join(frame(encode_example({"n": np.array(row, np.int64)})) for row in rows)
    for row in rows:
        feature = Example.FromString(encode_example({"n": row})).features.feature["n"]
        assert list(feature.int64_list.value) == row
    column = read(file, backend, n=kind)["n"]
    assert column.values.dtype == kind
    assert column.to_list() == rows


@pytest.mark.parametrize("kind", LIMITS)
def test_a_value_out_of_range_is_named(backend: ModuleType, kind: str) -> None:
    low, high = LIMITS[kind]
    for bad, limit in [(low - 1, low), (high + 1, high), (2**63 - 1, high), (-(2**63), low)]:
        for n, at in [(1, 0), (30, 0), (30, 29), (300, 150), (300, 299)]:
            values = [5] * n
            values[at] = bad
            file = frame(b"") + frame(encode_example({"n": values}))
            with pytest.raises(RecordError, match=str(bad)) as caught:
                read(file, backend, n=kind)
            error = caught.value
            assert (error.code, error.record, error.field) == (Code.RANGE, 1, "n")
            assert (error.expected, error.actual) == (limit, bad)
            assert error.byte_offset == len(file) - 4 - (n - at - 1) - len(wire.varint(bad))


@pytest.mark.part("decode_examples")
def test_spans_are_where_the_bytes_are(backend: ModuleType) -> None:
    rows = [[b"x" * i, b"", b"yz"][: i % 4] for i in range(20)]
    file = b"".join(frame(encode_example({"b": row})) for row in rows)
    column = read(file, backend, b="span")["b"]
    assert column.values.shape == (sum(map(len, rows)), 2)
    assert [[file[a : a + n] for a, n in row] for row in column] == rows
    pairs = b"".join(frame(encode_example({"b": [bytes([i]), b"pq"]})) for i in range(9))
    dense = read(pairs, backend, b=("span", 2))["b"]
    assert dense.shape == (9, 2, 2)
    assert [pairs[a : a + n] for a, n in dense[:, 0]] == [bytes([i]) for i in range(9)]
