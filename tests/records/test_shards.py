"""A ShardedWriter spreads records over files, which appear together or not at all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ffi_cookbook import records


def shards(folder: Path) -> dict[str, list[bytes]]:
    found = {}
    for path in sorted(folder.iterdir()):
        data = path.read_bytes()
        spans = records.index(path).tolist()
        found[path.name] = [data[start : start + size] for start, size in spans]
    return found


def write_and_raise(writer: records.ShardedWriter) -> None:
    with writer:
        for _ in range(20):
            writer.write(b"abc" * 10_000)
        raise ValueError("the end")


def test_a_number_of_shards(tmp_path: Path) -> None:
    pattern = tmp_path / "train-{shard:03d}-of-{n}"
    with records.ShardedWriter(pattern, shards=3) as writer:
        for i in range(8):
            writer.write(bytes([i]))
        assert not any("train" in path.name[:5] for path in tmp_path.iterdir())
    assert shards(tmp_path) == {
        f"train-00{shard}-of-3": [bytes([i]) for i in range(shard, 8, 3)] for shard in range(3)
    }


def test_shards_of_records(tmp_path: Path) -> None:
    with records.ShardedWriter(tmp_path / "{shard}-of-{n}", max_records=3) as writer:
        writer.write_columns({"a": np.arange(7)})
    assert [*map(len, shards(tmp_path).values())] == [3, 3, 1]
    assert [*shards(tmp_path)] == ["0-of-3", "1-of-3", "2-of-3"]


def test_shards_of_bytes(tmp_path: Path) -> None:
    with records.ShardedWriter(str(tmp_path / "{shard}"), max_bytes=100) as writer:
        for size in (40, 20, 20, 300, 84, 0):
            writer.write(bytes(size))
    sizes = [[len(data) for data in found] for found in shards(tmp_path).values()]
    assert sizes == [[40, 20], [20], [300], [84], [0]]


@pytest.mark.parametrize("limit", [{"shards": 2}, {"max_records": 5}, {"max_bytes": 5}])
def test_no_records_make_empty_shards(limit: Any, tmp_path: Path) -> None:
    with records.ShardedWriter(tmp_path / "{shard}", **limit):
        pass
    assert [*shards(tmp_path).values()] == [[]] * limit.get("shards", 1)


@pytest.mark.parametrize("limit", [{"shards": 2}, {"max_records": 5}, {"max_bytes": 5}])
def test_an_exception_leaves_no_shard(limit: Any, tmp_path: Path) -> None:
    writer = records.ShardedWriter(tmp_path / "{shard}", compression="gzip", **limit)
    with pytest.raises(ValueError, match="the end"):
        write_and_raise(writer)
    assert not list(tmp_path.iterdir())
    with pytest.raises(ValueError, match="closed"):
        writer.write(b"abc")


@pytest.mark.parametrize(
    ("pattern", "options"),
    [
        ("train", {"shards": 2}),
        ("{n}", {"shards": 2}),
        ("{shard}-{other}", {"shards": 2}),
        ("{shard", {"shards": 2}),
        ("{}", {"shards": 2}),
        ("{shard}/x-{shard}", {"shards": 2}),
        ("{shard}", {}),
        ("{shard}", {"shards": 2, "max_records": 2}),
        ("{shard}", {"shards": 0}),
        ("{shard}", {"max_bytes": -1}),
    ],
)
def test_what_is_not_a_set_of_shards(pattern: str, options: Any, tmp_path: Path) -> None:
    message = "pattern|one of shards, max_bytes|(shards|max_bytes) must be at least 1, not"
    with pytest.raises(ValueError, match=message):
        records.ShardedWriter(tmp_path / pattern, **options)
    assert not list(tmp_path.iterdir())
