"""Index files: the refusals of save_index and load_index, and the harmlessness of forged files."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ffi_cookbook import records
from ffi_cookbook.data import RecordDataset

SCHEMA = records.Schema({"x": "int64"})


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "file"
    records.write(path, [{"x": [i] * i} for i in range(20)])
    return path


def forge(path: Path, spans: Any) -> None:
    """Write an index file with these spans, as save_index would."""
    about, table = path.stat(), np.array(spans, "<i8")
    head = np.array([about.st_size, about.st_mtime_ns, len(table)], "<i8")
    Path(f"{path}.idx").write_bytes(b"\x89CKIDX\r\n" + head.tobytes() + table.tobytes())


def test_round_trip(path: Path) -> None:
    spans = records.index(path)
    for some in (spans, spans[::-1], spans[::3], spans[:0]):
        records.save_index(path, some)
        assert np.array_equal(records.load_index(path), some)


def test_what_is_not_an_index_of_the_file(path: Path) -> None:
    index, spans = Path(f"{path}.idx"), records.index(path)
    with pytest.raises(FileNotFoundError):
        records.load_index(path)
    records.save_index(path, spans)
    whole = index.read_bytes()
    for cut in (whole[:-1], whole[:20], whole[:8]):
        index.write_bytes(cut)
        with pytest.raises(ValueError, match="idx"):
            records.load_index(path)
    index.write_bytes(whole)
    os.utime(path, ns=(0, 12345))
    with pytest.raises(ValueError, match="has changed"):
        records.load_index(path)


def test_a_text_index_is_not_read(path: Path) -> None:
    """It does not say of which file it is, so it may be one of a shorter file."""
    lines = (f"{start - 12} {size + 16}\n" for start, size in records.index(path).tolist())
    Path(f"{path}.idx").write_text("".join(lines))
    message = "idx: not an index that save_index wrote"
    with pytest.raises(ValueError, match=message):
        records.load_index(path)
    with pytest.warns(RuntimeWarning, match=f"{message}; the file is indexed anew"):
        assert len(RecordDataset(path, SCHEMA)) == 20


@pytest.mark.parametrize("name", ["gzip", "zlib"])
def test_a_compressed_file_has_no_index(name: Any, path: Path) -> None:
    packed = Path(f"{path}.packed")
    records.write(packed, [b"abc"] * 9, compression=name)
    spans = records.index(packed)
    with pytest.raises(ValueError, match=rf"packed is compressed \({name}\).*decompress"):
        records.save_index(packed, spans)
    assert not os.path.exists(f"{packed}.idx")
    forge(packed, spans)
    with pytest.raises(ValueError, match=rf"packed is compressed \({name}\)"):
        records.load_index(packed)


@pytest.mark.parametrize(
    "spans",
    [
        [[12, 10**9]],
        [[10**9, 1]],
        [[11, 1]],
        [[-1, 1]],
        [[12, -1]],
        [[12, 2**63 - 1]],
        [[2**63 - 1, 2**63 - 1]],
        [[12, 50], [12, 50]],  # the same span twice
        [[12, 50], [77, 5]],  # a span within another one's frame
        [[90, 5], [12, 63]],
    ],
)
def test_spans_that_records_cannot_have(spans: Any, path: Path) -> None:
    with pytest.raises(ValueError, match="not an index of"):
        records.save_index(path, np.array(spans))
    assert not os.path.exists(f"{path}.idx")
    forge(path, spans)
    with pytest.raises(ValueError, match="not an index of"):
        records.load_index(path)


@pytest.mark.parametrize(
    ("spans", "error"),
    [
        ([[12, 1]], TypeError),
        (np.array([[12.0, 1.0]]), TypeError),
        (np.array([12, 1]), ValueError),
        (np.array([[12, 1, 2]]), ValueError),
    ],
)
def test_what_are_not_spans(spans: Any, error: type[Exception], path: Path) -> None:
    with pytest.raises(error, match="spans must"):
        records.save_index(path, spans)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes with a name")
@pytest.mark.parametrize("kind", ["pipe", "device", "folder", "sparse file"])
def test_what_is_planted_as_an_index(kind: str, path: Path) -> None:
    """A pipe would block, a device never end, and the sparse file take 64 GiB of memory."""
    planted = Path(f"{path}.idx")
    if kind == "pipe":
        os.mkfifo(planted)
    elif kind == "device":
        planted.symlink_to("/dev/zero")
    elif kind == "folder":
        planted.mkdir()
    else:
        with open(planted, "wb") as file:
            file.truncate(64 << 30)
    with pytest.raises(ValueError, match=r"idx: (not a regular file|larger than an index of)"):
        records.load_index(path)
    with pytest.warns(RuntimeWarning, match="the file is indexed anew"):
        dataset = RecordDataset(path, SCHEMA)
    assert len(dataset) == len(records.index(path))
