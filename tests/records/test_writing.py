"""A Writer writes whole files, compressed or not, to paths, URLs and file objects."""

from __future__ import annotations

import gzip
import io
import os
import zlib
from pathlib import Path
from random import Random
from typing import Any

import pytest

from ffi_cookbook import records
from support.backends import needs

DATA = [b"abc", b"", b"x" * 50_000, b"y"]
FRAMES = b"".join(map(records.frame, DATA))


@pytest.mark.parametrize("spelling", ["gzip", "GZIP", "zlib", "ZLIB"])
def test_compression(spelling: Any, tmp_path: Path) -> None:
    path = tmp_path / "path"
    records.write(path, DATA, compression=spelling)
    inflate = gzip.decompress if spelling.lower() == "gzip" else zlib.decompress
    assert inflate(path.read_bytes()) == FRAMES


def test_levels(tmp_path: Path) -> None:
    sizes = []
    for level in (0, 1, 9):
        records.write(tmp_path / "path", DATA, compression="gzip", level=level)
        sizes.append((tmp_path / "path").stat().st_size)
        assert gzip.decompress((tmp_path / "path").read_bytes()) == FRAMES
    assert sizes[0] > len(FRAMES) > sizes[1] > sizes[2]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"compression": "bz2"}, "compression must be 'gzip', 'zlib' or None, not 'bz2'"),
        ({"compression": "gzip", "level": 10}, "level must be from 0 to 9, not 10"),
        ({"compression": "gzip", "level": -1}, "level must be from 0 to 9, not -1"),
        ({"level": 3}, "level is 3, but compression is None"),
    ],
)
def test_what_is_not_a_compression(options: Any, message: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=message):
        records.Writer(tmp_path / "path", **options)
    assert not list(tmp_path.iterdir())


class Slow(io.RawIOBase):
    """A file that takes few bytes at a time."""

    def __init__(self) -> None:
        self.data = bytearray()

    def write(self, data: Any) -> int:
        self.data += data[:1000]
        return min(len(data), 1000)


@pytest.mark.parametrize("compression", [None, "gzip"])
def test_a_file_object(compression: Any) -> None:
    file, slow = io.BytesIO(), Slow()
    for target in (file, slow):
        records.write(target, DATA, compression=compression)
    assert not file.closed
    for data in (file.getvalue(), bytes(slow.data)):
        assert (gzip.decompress(data) if compression else data) == FRAMES


@pytest.mark.parametrize("target", [io.StringIO(), 5, None, b"x", ["path"]])
def test_what_is_not_a_target(target: Any) -> None:
    with pytest.raises(TypeError, match="target must be a path or a binary file object"):
        records.Writer(target)


def test_a_url_is_opened_by_the_caller() -> None:
    fsspec = needs("fsspec")
    with pytest.raises(ValueError, match=r'fsspec.open\("memory://writing/path", "wb"\)'):
        records.Writer("memory://writing/path")
    with fsspec.open("memory://writing/path", "wb") as file:
        records.write(file, DATA)
    assert fsspec.filesystem("memory").cat("/writing/path") == FRAMES


@pytest.mark.parametrize("compression", [None, "gzip"])
def test_a_record_of_many_parts(compression: Any, tmp_path: Path) -> None:
    """The record has more parts than one system call takes."""
    path, row = tmp_path / "path", {f"feature {i}": b"x" * 50 for i in range(3000)}
    records.write(path, [b"before", row, b"behind"], compression=compression)
    wanted = [b"before", records.encode_example(row), b"behind"]
    assert [*records.raw(path)] == wanted


def test_a_file_that_takes_few_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pipe may do so, and any file if a signal arrives."""

    def writev(handle: int, parts: Any) -> int:
        return os.write(handle, b"".join(parts)[: random.randrange(1, 40_000)])

    random = Random(1)
    monkeypatch.setattr(os, "writev", writev)
    rows = [{"a": bytes([i]) * 20_000, "b": b"x" * 20_000} for i in range(30)]
    records.write(tmp_path / "path", rows)
    assert [*records.raw(tmp_path / "path")] == [*map(records.encode_example, rows)]


@pytest.mark.parametrize("record", [b"abc", b"x" * 50_000, {"a": 1}, {"a": b"x" * 50_000}])
def test_a_closed_writer_takes_nothing(record: Any, tmp_path: Path) -> None:
    writer = records.Writer(tmp_path / "path")
    writer.write(b"abc")
    writer.close()
    with pytest.raises(ValueError, match="the writer is closed"):
        writer.write(record)
    writer.close()
    assert (tmp_path / "path").read_bytes() == records.frame(b"abc")
