"""Compressed files: refused, or decompressed once into a folder of plain copies."""

from __future__ import annotations

import gzip
import os
import pickle
import zlib
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from ffi_cookbook import records
from ffi_cookbook.bindings.errors import RecordError
from ffi_cookbook.data import RecordDataset, RecordStream
from support.backends import needs
from support.record_numbers import flat, numbers


@pytest.fixture
def shards(files: Any, tmp_path: Path) -> list[Path]:
    """Return the files, of which the first is in two gzip streams and the third in one of zlib."""
    data = [path.read_bytes() for path in files.paths]
    middle = len(data[0]) // 2
    data[0] = gzip.compress(data[0][:middle]) + gzip.compress(data[0][middle:])
    data[2] = zlib.compress(data[2])
    paths = [tmp_path / f"{i}.tfrecord.z" for i in range(len(data))]
    for path, content in zip(paths, data, strict=True):
        path.write_bytes(content)
    return paths


def test_without_a_folder_the_message_says_what_to_do(shards: list[Path], files: Any) -> None:
    for path, kind in ((shards[0], "gzip"), (shards[2], "zlib")):
        with pytest.raises(ValueError, match=rf"{kind}.* pass cache=FOLDER.*records\.read"):
            RecordDataset(path, files.schema)


def test_copies_are_as_plain_files(shards: list[Path], files: Any, tmp_path: Path) -> None:
    """Copies have random access, are shuffled and divided among ranks, and are made once."""
    cache = tmp_path / "some" / "cache"
    dataset = RecordDataset(shards, files.schema, cache=cache)
    names = [Path(dataset.paths[i]).name for i in (0, 2)]
    assert sorted(os.listdir(cache)) == sorted([*names, *(f"{name}.source" for name in names)])
    assert [Path(path).parent for path in dataset.paths] == [cache, tmp_path, cache, tmp_path]
    for path, plain in zip(dataset.paths, files.paths, strict=True):
        assert Path(path).read_bytes() == plain.read_bytes()
    assert dataset.__getitems__([50, 3, 17])["number"].tolist() == [50, 3, 17]
    assert pickle.loads(pickle.dumps(dataset))[20]["number"] == 20

    before = {path: path.stat().st_mtime_ns for path in cache.iterdir()}
    options: Any = {"cache": str(cache), "shuffle": True, "batch_size": 4}
    ranks = [RecordStream(shards, files.schema, rank=i, world=2, **options) for i in range(2)]
    assert sorted(flat(numbers(chain(*ranks)))) == list(range(files.n))
    assert {path: path.stat().st_mtime_ns for path in cache.iterdir()} == before


def test_a_state_is_that_of_a_folder_that_has_moved(
    shards: list[Path], files: Any, tmp_path: Path
) -> None:
    stream = RecordStream(shards, files.schema, batch_size=20, cache=tmp_path / "cache")
    state = next(iter(stream)).state
    moved = tmp_path.rename(tmp_path.with_name(f"{tmp_path.name}-moved"))
    paths = [moved / path.name for path in shards]  # copies have other names then
    again = RecordStream(paths, files.schema, batch_size=20, cache=moved / "other")
    again.load_state_dict(state)
    assert flat(numbers(again)) == list(range(20, files.n))


def test_a_file_that_has_changed_has_another_copy(
    shards: list[Path], files: Any, tmp_path: Path
) -> None:
    options: Any = {"cache": tmp_path / "cache"}
    first = RecordDataset(shards[0], files.schema, **options)
    shards[0].write_bytes(gzip.compress(files.paths[3].read_bytes()))
    second = RecordDataset(shards[0], files.schema, **options)
    assert (len(first), len(second)) == (17, 9)
    assert (first[0]["number"], second[0]["number"]) == (0, 42)


@pytest.mark.parametrize("on_error", ["raise", "resync"])
def test_a_damaged_file_leaves_no_copy(
    shards: list[Path], files: Any, tmp_path: Path, on_error: Any
) -> None:
    options: Any = {"cache": tmp_path / "cache", "on_error": on_error}
    whole = shards[0].read_bytes()
    shards[0].write_bytes(whole[:-20])
    with pytest.raises(EOFError):
        RecordDataset(shards[0], files.schema, **options)
    shards[0].write_bytes(whole[:50] + bytes([whole[50] ^ 255]) + whole[51:])
    with pytest.raises(zlib.error):
        RecordDataset(shards[0], files.schema, **options)
    assert os.listdir(tmp_path / "cache") == []


def test_a_bad_record_in_a_good_stream(files: Any, tmp_path: Path) -> None:
    """The policy is that of plain files, and the error names the copy and the file."""
    data = bytearray(files.paths[0].read_bytes())
    data[40] ^= 1  # of record 0
    (tmp_path / "a.gz").write_bytes(gzip.compress(data))
    options: Any = {"cache": tmp_path / "cache"}
    with pytest.raises(RecordError) as caught:
        RecordDataset(tmp_path / "a.gz", files.schema, **options)
    assert (caught.value.record, Path(caught.value.path).parent) == (0, tmp_path / "cache")
    assert caught.value.__notes__[0].endswith(f"is the plain copy of {str(tmp_path / 'a.gz')!r}")
    dataset = RecordDataset(tmp_path / "a.gz", files.schema, on_error="skip", **options)
    assert (len(dataset), len(dataset.report.losses)) == (16, 1)
    Path(dataset.paths[0]).write_bytes(bytes(len(data)))
    with pytest.raises(RecordError) as caught:
        dataset[3]
    assert "a.gz" in caught.value.__notes__[0]


@pytest.mark.parametrize("cut", ["the copy", "its size", "the name"])
def test_a_copy_of_another_size_is_made_again(
    shards: list[Path], files: Any, tmp_path: Path, cut: str
) -> None:
    options: Any = {"cache": tmp_path / "cache"}
    dataset = RecordDataset(shards[0], files.schema, **options)
    copy, about = Path(dataset.paths[0]), Path(f"{dataset.paths[0]}.source")
    size, name = about.read_text().splitlines()
    assert (int(size), name) == (files.paths[0].stat().st_size, repr(str(shards[0])))
    if cut == "the copy":
        os.truncate(copy, int(records.index(copy)[3, 0]) - 12)
    elif cut == "its size":
        about.unlink()
    else:
        about.write_text("9" * 5000)
    os.utime(copy, ns=(0, 0))
    assert len(RecordDataset(shards[0], files.schema, **options)) == 17
    assert copy.stat().st_mtime_ns > 0
    assert copy.read_bytes() == files.paths[0].read_bytes()


def test_a_compressed_file_at_a_url(files: Any, tmp_path: Path) -> None:
    memory = needs("fsspec").filesystem("memory")
    memory.pipe_file("/compressed/a.gz", gzip.compress(files.paths[0].read_bytes()))
    url = "memory://compressed/a.gz"
    dataset = RecordDataset(url, files.schema, cache=tmp_path)
    assert (len(dataset), dataset[16]["number"]) == (17, 16)
    assert dataset.paths == RecordDataset(url, files.schema, cache=tmp_path).paths
