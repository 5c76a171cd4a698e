"""Positions at which reading starts."""

from __future__ import annotations

import gzip
import io
import json
import os
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from ffi_cookbook import records
from ffi_cookbook.bindings.errors import Code
from ffi_cookbook.records import Position
from support.nine_records import EXPECTED, FILE, SCHEMA, STARTS, damaged, plain

SPANS = records.index(FILE, backend="python")


# ---- positions --------------------------------------------------------------------------------


@pytest.mark.parametrize("chunk_size", [50, 1 << 20])
def test_reading_starts_behind_any_batch(path: Path, chunk_size: int) -> None:
    options: dict[str, Any] = {"batch_size": 2, "chunk_size": chunk_size}
    whole = list(records.read([path, FILE], SCHEMA, **options))
    assert plain(whole) == EXPECTED * 2
    assert [batch.end for batch in whole[3:6]] == [
        Position(0, STARTS[8], 8),
        Position(0, len(FILE), 9),
        Position(1, STARTS[2], 2),
    ]
    for i, batch in enumerate(whole):
        rest = records.read([path, io.BytesIO(FILE)], SCHEMA, start=batch.end, **options)
        assert plain(rest) == plain(whole[i + 1 :])


@pytest.mark.part("decode_examples", kernels=True)
def test_a_position_is_all_there_is_to_save(backend: ModuleType, path: Path) -> None:
    """A position works at any record, even among damage, and does not depend on earlier reads."""
    for i, start in enumerate([*STARTS, len(FILE)]):
        for source in (path, FILE, gzip.compress(FILE)):
            rest = records.read(source, SCHEMA, start=Position(0, start, i), backend=backend)
            assert plain(rest) == EXPECTED[i:]
    path.write_bytes(damaged(STARTS[1], STARTS[4] + 20, STARTS[7] + 1))
    for policy in ("skip", "resync"):
        options: dict[str, Any] = {"on_error": policy, "backend": backend, "chunk_size": 100}
        if policy == "skip":
            path.write_bytes(damaged(STARTS[4] + 20))
        whole = list(records.read(path, SCHEMA, batch_size=1, **options))
        for i, batch in enumerate(whole):
            saved = Position(*json.loads(json.dumps(batch.end)))
            rest = list(records.read(path, SCHEMA, start=saved, batch_size=2, **options))
            assert plain(rest) == plain(whole[i + 1 :])
            ends = [later.end for later in whole[i + 1 :]]
            assert [batch.end for batch in rest] == [*ends[1::2], *ends[-1:][: len(ends) % 2]]


def test_record_numbers_continue(path: Path) -> None:
    path.write_bytes(damaged(STARTS[7] + 20))
    with pytest.raises(records.RecordError) as caught:
        list(records.read(path, SCHEMA, start=Position(0, STARTS[5], 5)))
    assert (caught.value.record, caught.value.byte_offset) == (7, STARTS[7] + 12)


def test_an_invalid_start_is_refused(path: Path) -> None:
    assert plain(records.read(path, SCHEMA, start=[0, STARTS[5], 5])) == EXPECTED[5:]
    for start in ((-1, 0, 0), (0, -1, 0), (0, 0, -1), (1, 0, 0), (0, 0, 2**63)):
        with pytest.raises(ValueError, match="nowhere"):
            records.read(path, SCHEMA, start=Position(*start))
    assert list(records.read([], SCHEMA)) == []
    with pytest.raises(TypeError):
        records.read(path, SCHEMA, start=Position(0, 1.5, 0))


def test_a_start_beyond_the_end_is_refused(path: Path) -> None:
    packed = gzip.compress(FILE)
    for source in (lambda: path, lambda: FILE, lambda: io.BytesIO(FILE), lambda: packed):
        with pytest.raises(ValueError, match=f"ends at byte {len(FILE)}"):
            list(records.read(source(), SCHEMA, start=Position(0, len(FILE) + 1, 0)))
        assert plain(records.read(source(), SCHEMA, start=Position(0, len(FILE), 9))) == []


def test_an_open_file_is_read_from_where_it_stands(path: Path) -> None:
    with open(path, "rb") as file:
        file.seek(STARTS[2])
        start = Position(0, STARTS[4] - STARTS[2], 0)
        assert plain(records.read(file, SCHEMA, start=start, chunk_size=10)) == EXPECTED[4:]


def test_a_file_that_shrinks_is_an_error(path: Path) -> None:
    batches = records.read(path, SCHEMA, batch_size=1, chunk_size=200)
    next(batches)
    os.truncate(path, STARTS[4] + 5)
    with pytest.raises(records.RecordError) as caught:
        list(batches)
    assert caught.value.code == Code.TRUNCATED_HEADER
    with pytest.raises(records.RecordError):
        records.gather(path, SPANS, SCHEMA)
