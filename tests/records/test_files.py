"""Files as they occur in practice: shards, URLs, truncated or damaged files, other indexes."""

from __future__ import annotations

import gzip
import io
import json
import os
import random
import zlib
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from ffi_cookbook import records
from ffi_cookbook.bindings.errors import Code
from ffi_cookbook.records import Position
from support.backends import needs
from support.nine_records import EXPECTED, FILE, ROWS, SCHEMA, STARTS, damaged, plain

SPANS = records.index(FILE, backend="python")


# ---- positions --------------------------------------------------------------------------------


@pytest.mark.part("decode_examples", kernels=True)
def test_reading_starts_anywhere(backend: ModuleType, path: Path) -> None:
    packed = gzip.compress(FILE)
    for chunk_size in (50, 1 << 20):
        options: dict[str, Any] = {"backend": backend, "batch_size": 2, "chunk_size": chunk_size}
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
        for source in (packed, io.BytesIO(packed)):
            rest = records.read(source, SCHEMA, start=whole[2].end, **options)
            assert plain(rest) == EXPECTED[6:]


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
    assert plain(records.read(path, SCHEMA, start=[0, STARTS[5], 5])) == EXPECTED[5:]  # type: ignore[arg-type]
    for start in ((-1, 0, 0), (0, -1, 0), (0, 0, -1), (1, 0, 0), (0, 0, 2**63)):
        with pytest.raises(ValueError, match="nowhere"):
            records.read(path, SCHEMA, start=Position(*start))
    assert list(records.read([], SCHEMA)) == []
    with pytest.raises(TypeError):
        records.read(path, SCHEMA, start=Position(0, 1.5, 0))  # type: ignore[arg-type]


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


def test_urls(path: Path) -> None:
    needs("fsspec")
    assert plain(records.read(f"file://{path}", SCHEMA)) == EXPECTED
    assert records.index(f"file://{path}").tolist() == SPANS.tolist()


def test_a_file_that_shrinks_is_an_error(path: Path) -> None:
    batches = records.read(path, SCHEMA, batch_size=1, chunk_size=200)
    next(batches)
    os.truncate(path, STARTS[4] + 5)
    with pytest.raises(records.RecordError) as caught:
        list(batches)
    assert caught.value.code == Code.TRUNCATED_HEADER
    with pytest.raises(records.RecordError):
        records.gather(path, SPANS, SCHEMA)


# ---- damage -----------------------------------------------------------------------------------


@pytest.mark.part("index_records", kernels=True)
def test_verify_and_salvage(backend: ModuleType, path: Path, tmp_path: Path) -> None:
    path.write_bytes(damaged(STARTS[1], STARTS[4] + 20, STARTS[5] + 20) + b"junk")
    target = tmp_path / "saved"
    health = records.salvage(path, target, backend=backend)
    good = [0, 2, 3, 6, 7, 8]
    assert target.read_bytes() == b"".join(
        FILE[STARTS[i] : [*STARTS, len(FILE)][i + 1]] for i in good
    )
    assert health.records == 6
    assert health.bytes == target.stat().st_size
    assert [loss.error.code for loss in health.report.losses] == [
        Code.LENGTH_CRC,
        Code.DATA_CRC,
        Code.DATA_CRC,
        Code.TRUNCATED_HEADER,
    ]
    again = records.verify(path, backend=backend)
    assert (again.records, again.report.count) == (6, 4)
    assert records.verify(target, backend=backend)[:2] == health[:2]
    assert sorted(os.listdir(tmp_path)) == sorted(["saved", path.name])


def test_salvage_leaves_nothing_behind_when_it_fails(tmp_path: Path) -> None:
    class Failing(io.BytesIO):
        def readinto(self, buffer: Any) -> int:
            if self.tell() > len(FILE):
                raise OSError("gone")
            return super().readinto(buffer)

    with pytest.raises(OSError, match="gone"):
        records.salvage(Failing(FILE * 2), tmp_path / "saved")
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("name", ["gzip", "zlib"])
def test_what_stands_before_the_damage_of_a_compressed_file(tmp_path: Path, name: str) -> None:
    """The good records are saved, and the damage is reported."""
    rng = random.Random(3)
    rows = [{"id": i, "noise": rng.randbytes(100)} for i in range(1000)]
    path, target = tmp_path / "damaged", tmp_path / "saved"
    plain_path = tmp_path / "plain"
    records.write(plain_path, rows)
    plain_file = plain_path.read_bytes()
    whole = {"gzip": gzip, "zlib": zlib}[name].compress(plain_file)
    for size in (len(whole) - 1, len(whole) // 2, 5000, 1):
        path.write_bytes(whole[:size])
        there = zlib.decompressobj({"gzip": 31, "zlib": 15}[name]).decompress(whole[:size])
        good = records.verify(there)
        health = records.salvage(path, target, compression=name)  # type: ignore[arg-type]
        assert health[:2] == good[:2]
        assert isinstance(health.damage, EOFError)
        assert plain_file.startswith(target.read_bytes())
        assert len(records.index(target)) == health.records
        target.unlink()
    path.write_bytes(whole[:9000] + bytes(100) + whole[9100:])
    assert isinstance(records.verify(path, compression=name).damage, zlib.error)  # type: ignore[arg-type]


# ---- index files ------------------------------------------------------------------------------


def test_index_files(path: Path) -> None:
    index = Path(f"{path}.idx")
    records.save_index(path, SPANS)
    assert records.load_index(path).tolist() == SPANS.tolist()
    whole = index.read_bytes()
    for cut in (whole[:-1], whole[:20], whole[:8]):
        index.write_bytes(cut)
        with pytest.raises(ValueError, match="idx"):
            records.load_index(path)
    index.write_bytes(whole)
    os.utime(path, ns=(0, 12345))
    with pytest.raises(ValueError, match="has changed"):
        records.load_index(path)
    for text in ("", "12", "a b\n"):
        index.write_text(text)
        with pytest.raises(ValueError, match="not an index that save_index wrote"):
            records.load_index(path)
    index.unlink()
    with pytest.raises(FileNotFoundError):
        records.load_index(path)
    path.write_bytes(b"")
    records.save_index(path, SPANS[:0])
    assert records.load_index(path).shape == (0, 2)


# ---- tables -----------------------------------------------------------------------------------


def test_pandas_shares_the_memory_it_can() -> None:
    needs("pandas")
    needs("pyarrow")
    (batch,) = records.read(FILE, SCHEMA)
    frame = batch.to_pandas()
    assert frame["label"].tolist() == [row["label"] for row in ROWS]
    assert np.shares_memory(frame["label"].to_numpy(), batch["label"])
    lists = frame.drop(columns="label").to_dict("records")
    found = [{name: list(value) for name, value in row.items()} for row in lists]
    assert found == [{k: v for k, v in row.items() if k != "label"} for row in EXPECTED]
