"""The records kernels read Examples as protobuf does."""

from __future__ import annotations

import gzip
import random
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from ffi_cookbook.records import Schema, frame
from support import wire
from support.backends import binding
from support.example_proto import features, has_nan
from support.record_kernels import RANDOM, Columns, assert_same, decode, expected_columns

pytestmark = pytest.mark.part("decode_examples")

N_GENERATED = [20_000, pytest.param(100_000, marks=pytest.mark.full)]


@cache
def generated(n: int) -> tuple[bytes, Columns]:
    """Return Examples written in every legal way, and protobuf's reading of them."""
    rng = random.Random(7)
    records: list[bytes] = []
    while len(records) < n:
        record = wire.example(rng)
        if not has_nan(record):
            records.append(record)
    return b"".join(map(frame, records)), expected_columns(records, RANDOM)


@pytest.mark.part("decode_examples", kernels=True, compiled=True)
@pytest.mark.parametrize("n", N_GENERATED)
def test_generated_examples(backend: ModuleType, n: int) -> None:
    buffer, expected = generated(n)
    room = (16 * n, 400 * n)
    error, cursor, found = decode(backend, buffer, RANDOM, rows=n, room=room)
    assert error is None
    assert cursor == [0, len(buffer), n, n]
    assert_same(found, expected)


def real_files(folder: Path) -> list[Path]:
    files = [path for path in (folder / "records").rglob("*") if "tfrecord" in path.name.lower()]
    files += (folder / "records").rglob("Split-*.gz")
    return sorted({path for path in files if path.is_file() and "sequence" not in str(path)})


@cache
def real(path: Path) -> tuple[bytes, Schema, int, Columns]:
    data = path.read_bytes()
    if data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    spans = np.zeros((len(data) // 16, 2), np.int64)
    n = binding("python").index_records(data, spans, np.zeros(4, np.int64), False)
    records = [data[at : at + size] for at, size in spans[:n].tolist()]
    kinds: dict[str, Any] = {}
    for record in records:
        kinds.update({name: kind for name, (kind, _) in features(record).items() if kind})
    schema = Schema(dict(sorted(kinds.items())))
    return data, schema, n, expected_columns(records, schema)


@pytest.mark.part("decode_examples", kernels=True, native=True)
def test_real_files(backend: ModuleType, data: Path | None) -> None:
    for path in real_files(data) if data else []:
        buffer, schema, n, expected = real(path)
        room = (n * 800, len(buffer))
        error, cursor, found = decode(backend, buffer, schema, rows=n, room=room)
        assert error is None, path
        assert cursor == [0, len(buffer), n, n]
        assert_same(found, expected)
