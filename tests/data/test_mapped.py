"""Frames from mapped files equal those from a read, and a truncated file ends no process."""

from __future__ import annotations

import gc
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ffi_cookbook import records
from ffi_cookbook.data import RecordDataset
from ffi_cookbook.data.records import mapped_frames as mapped
from ffi_cookbook.data.records.mapped_frames import MappedFiles
from support.backends import needs
from support.processes import run_python

linux = pytest.mark.skipif(not hasattr(os, "memfd_create"), reason="files are mapped on Linux only")


def spans_of(files: Any) -> Any:
    """Return the spans of all records of all files."""
    return records.index(files.paths, verify=False)


def frames(found: Any, mapped_files: MappedFiles) -> list[bytes]:
    """Return the data of what was read, and release its memory."""
    scratch, places = found
    data = [scratch.memory[start : start + size].tobytes() for start, size in places.tolist()]
    mapped_files.release(scratch)
    return data


@linux
@pytest.mark.parametrize("at_once", [1, 3, 1024])
def test_frames_in_any_order(files: Any, at_once: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many a call copies, whether they are neighbours, and with pages released between."""
    monkeypatch.setattr(mapped, "_MOST_FRAMES", at_once)
    monkeypatch.setattr(mapped, "_MOST_RESIDENT", 1)
    contents, spans = [path.read_bytes() for path in files.paths], spans_of(files)
    found = MappedFiles([str(path) for path in files.paths])
    for numbers in (
        range(51),
        [50, 3, 4, 5, 5, 16, 17, 0],
        [7],
        np.random.default_rng(1).permutation(51),
    ):
        picked = spans[list(numbers)]
        expected = [contents[file][start : start + size] for file, start, size in picked.tolist()]
        assert frames(found.read(picked), found) == expected


@linux
def test_memory_is_used_again_but_not_by_a_fork(
    files: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    found, spans = MappedFiles([str(path) for path in files.paths]), spans_of(files)
    scratch, _ = found.read(spans[:9]) or pytest.fail("nothing was read")
    found.release(scratch)
    assert (found.read(spans[:5]) or "")[0] is scratch
    other, _ = found.read(spans[:5]) or pytest.fail("nothing was read")
    assert other is not scratch  # which has not been released
    found.release(scratch)
    monkeypatch.setattr(os, "getpid", lambda: -1)
    assert (found.read(spans[:5]) or "")[0] not in (scratch, other)


@linux
def test_a_process_has_few_maps(files: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files after the bound are read; the parts of a data set share its maps."""
    monkeypatch.setattr(mapped, "_addresses", addresses := set[int]())
    schema = records.Schema({"number": ("int64", ())})
    for most in (16384, 2):  # of three files, since one is empty
        monkeypatch.setattr(mapped, "_MOST_MAPS", most)
        dataset = RecordDataset(files.paths, schema)
        for part in (dataset, dataset.skip(0), dataset.take(files.n)):
            assert [part[n]["number"] for n in range(files.n)] == list(range(files.n))
            assert part.__getitems__(range(files.n))["number"].tolist() == list(range(files.n))  # type: ignore[union-attr]
            assert len(addresses) == min(most, 3)
        del dataset, part
        gc.collect()
        assert not addresses


@pytest.mark.parametrize("case", ["no file", "too short", "negative", "too much", "not Linux"])
def test_what_cannot_be_mapped_is_left_to_a_read(
    files: Any, case: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths, spans = [str(path) for path in files.paths], spans_of(files)[20:23]
    if case == "no file":
        paths[2] += ".none"
    elif case == "too short":
        spans[1, 1] = os.path.getsize(paths[2]) - 4
    elif case == "negative":
        spans[1, 2] = -20
    elif case == "too much":
        monkeypatch.setattr(mapped, "_MOST_BYTES", 200)
    else:
        monkeypatch.setattr(mapped, "_libc", lambda: None)
    found = MappedFiles(paths)
    assert found.read(spans) is None
    assert found.read(spans) is None


def test_without_maps_a_dataset_gives_the_same(files: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    needs("pyarrow")
    numbers = np.random.default_rng(2).permutation(files.n)
    batches = [RecordDataset(files.paths, files.schema).__getitems__(numbers)]
    monkeypatch.setattr(mapped, "_libc", lambda: None)
    batches.append(RecordDataset(files.paths, files.schema).__getitems__(numbers))
    one, other = (batch.to_arrow().to_pylist() for batch in batches)
    assert one == other


CUT = """
import os, sys
from ffi_cookbook.data import RecordDataset
from ffi_cookbook.bindings.errors import RecordError
from ffi_cookbook.records import Schema

path = sys.argv[1]
dataset = RecordDataset(path, Schema({"x": ("float32", 1000)}))
assert dataset[99]["x"][0] == 99
os.truncate(path, 50 * (os.path.getsize(path) // 100))
try:
    dataset.__getitems__(range(100))
except RecordError as error:
    print(error.code.name, error.record)
print(dataset[49]["x"][0])
"""


def test_a_file_that_is_cut_short_ends_no_process(tmp_path: Path) -> None:
    path = tmp_path / "a.tfrecord"
    rows = ({"x": np.full(1000, i, np.float32)} for i in range(100))
    records.write(path, rows)
    assert run_python("-c", CUT, path).split() == ["TRUNCATED_HEADER", "50", "49.0"]


@linux
def test_a_file_that_is_replaced_is_read_as_it_was(files: Any, tmp_path: Path) -> None:
    path = tmp_path / "a.tfrecord"
    path.write_bytes(files.paths[2].read_bytes())
    dataset = RecordDataset(path, files.schema)
    assert dataset[3]["number"] == 20
    (tmp_path / "b").write_bytes(files.paths[3].read_bytes())
    os.replace(tmp_path / "b", path)
    assert dataset[20]["number"] == 37
    assert RecordDataset(path, files.schema)[3]["number"] == 45


def test_room_is_that_of_the_batches_before(files: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The arena of a batch grows only while batches become larger."""
    from ffi_cookbook.records.columns.arena import Arena

    path, grown = files.paths[0].parent / "long", []
    records.write(path, [{"x": np.zeros(20_000, np.float32)}] * 4)
    dataset = RecordDataset(path, records.Schema({"x": "float32"}))
    monkeypatch.setattr(
        Arena, "grown", lambda *args, old=Arena.grown: grown.append(1) or old(*args)
    )
    dataset.__getitems__([0, 1])
    first = len(grown)
    for numbers in ([0, 1], range(4), [3]):
        dataset.__getitems__(numbers)
    assert 0 < first == len(grown)


LARGE = """
import resource, sys
from ffi_cookbook import records
from ffi_cookbook.data import RecordStream

schema = records.Schema({"x": ("float32", 4096)})
stream = RecordStream(sys.argv[1:], schema, shuffle=True, threads=2, max_bytes=16 << 20)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(sum(map(len, stream)), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


@linux
@pytest.mark.full
def test_files_larger_than_the_bound_take_no_more_memory(tmp_path: Path) -> None:
    """Pages count for each path that maps them, so 1.5 GB are read from links to one file."""
    rows = [{"x": np.full(4096, i, np.float32)} for i in range(2000)]
    records.write(tmp_path / "0", rows)
    records.save_index(tmp_path / "0", records.index(tmp_path / "0"))
    for number in range(1, 48):
        os.link(tmp_path / "0", tmp_path / f"{number}")
        os.link(tmp_path / "0.idx", tmp_path / f"{number}.idx")
    paths = [tmp_path / f"{number}" for number in range(48)]
    n, kilobytes = map(int, run_python("-c", LARGE, *paths, seconds=900).split())
    assert n == 48 * 2000
    assert kilobytes < 700_000
