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
from support.backends import needs
from support.processes import run_python

linux = pytest.mark.skipif(not hasattr(os, "memfd_create"), reason="files are mapped on Linux only")


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
            assert part.__getitems__(range(files.n))["number"].tolist() == list(range(files.n))
            assert len(addresses) == min(most, 3)
        del dataset, part
        gc.collect()
        assert not addresses


@linux
def test_a_limit_on_the_size_of_files_does_not_end_reading(files: Any) -> None:
    """It holds for the memory that frames are copied to; so they are read from the files."""
    child = f"""
import resource
from ffi_cookbook.data import RecordStream
from ffi_cookbook.records import Schema
stream = RecordStream({list(map(str, files.paths))!r}, Schema({{"number": ("int64", ())}}))
resource.setrlimit(resource.RLIMIT_FSIZE, (1024, resource.RLIM_INFINITY))
assert [batch["number"].tolist() for batch in stream] == [list(range({files.n}))]
"""
    run_python("-c", child)


def test_a_dataset_gives_the_same_whatever_is_mapped(
    files: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However much is copied at once or stays resident, and where nothing can be mapped."""
    needs("pyarrow")
    for numbers in (np.random.default_rng(2).permutation(files.n), [50, 3, 4, 5, 5, 16, 17, 0]):
        expected = RecordDataset(files.paths, files.schema).__getitems__(numbers).to_arrow()
        for name, value in (
            ("_MOST_FRAMES", 3),
            ("_MOST_RESIDENT", 1),
            ("_MOST_BYTES", 200),
            ("_libc", lambda: None),
        ):
            with monkeypatch.context() as patch:
                patch.setattr(mapped, name, value)
                found = RecordDataset(files.paths, files.schema).__getitems__(numbers)
                assert found.to_arrow().equals(expected), name


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
