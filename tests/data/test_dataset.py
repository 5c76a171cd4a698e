"""A map-style dataset: records by number from several files, in any process, and damaged ones."""

from __future__ import annotations

import os
import pickle
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ffi_cookbook import records
from ffi_cookbook.bindings.errors import Code, RecordError
from ffi_cookbook.data import RecordDataset, RecordStream
from support.record_numbers import damage


def test_a_record_by_its_number(files: Any) -> None:
    dataset = RecordDataset(files.paths, files.schema)
    assert len(dataset) == files.n
    row = dataset[20]
    assert row["number"] == 20
    assert row["pixels"].tolist() == [[20, 21, 22], [23, 24, 25]]
    assert (row["ids"].tolist(), row["text"]) == ([], [b"xx"])
    assert dataset[-1]["number"] == files.n - 1
    assert [row["number"] for row in dataset] == list(range(files.n))
    with pytest.raises(IndexError, match=f"record {files.n} of {files.n}"):
        dataset[files.n]


@pytest.mark.parametrize("numbers", [[], [3], [40, 2, 2, 17], range(16, 18), range(20, 35), [-1]])
def test_many_records_with_one_call(files: Any, numbers: Any) -> None:
    dataset = RecordDataset(str(files.paths[0].parent / "*.tfrecord"), files.schema)
    batch = dataset.__getitems__(numbers)
    assert batch["number"].tolist() == [number % files.n for number in numbers]
    with pytest.raises(IndexError, match="numbers must be below 51"):
        dataset.__getitems__([0, files.n])


def test_numbers_are_integers_and_nothing_is_cut_off(files: Any) -> None:
    dataset = RecordDataset(files.paths, files.schema)
    wrong: list[Any] = [[1.5], np.array([1.9]), ["1"], [True], [None], [2**70], np.array([True])]
    for numbers in wrong:
        with pytest.raises(TypeError, match="numbers must be integers"):
            dataset.__getitems__(numbers)
    with pytest.raises(IndexError, match="numbers must be below 51"):
        dataset.__getitems__(np.array([2**63], np.uint64))
    assert (len(dataset.skip(2**70)), len(dataset.take(2**70))) == (0, files.n)
    with pytest.raises(TypeError, match="backend must be a name or a module, not int"):
        RecordDataset(files.paths, files.schema, backend=5)


def test_spans_of_neighbours_are_those_of_the_file(files: Any) -> None:
    dataset = RecordDataset(files.paths, records.Schema({"text": "span"}))
    data = files.paths[2].read_bytes()
    rows = dataset.__getitems__(range(17, 42))["text"]
    texts = [data[start : start + size] for row in rows for start, size in row]
    assert texts == [b"x" * (i % 3) for i in range(17, 42)]


def test_records_of_two_files_are_not_neighbours(files: Any, tmp_path: Path) -> None:
    """Though the second file's record begins where the first file's ends."""
    for name, number in (("a", 0), ("b", 50)):
        rows = [{"number": number + i} for i in range(2)]
        records.write(tmp_path / name, rows)
    dataset = RecordDataset(tmp_path / "[ab]", records.Schema({"number": ("int64", ())}))
    assert dataset.__getitems__([0, 3])["number"].tolist() == [0, 51]


def test_it_pickles_and_holds_no_file(files: Any) -> None:
    dataset = RecordDataset(files.paths, files.schema, backend="python")
    again = pickle.loads(pickle.dumps(dataset))
    assert again.__getitems__([30, 1])["number"].tolist() == [30, 1]
    again = pickle.loads(pickle.dumps(again))
    assert again[50]["number"] == 50


def test_an_index_beside_a_file_is_used(files: Any, tmp_path: Path) -> None:
    path = tmp_path / "a.tfrecord"
    path.write_bytes(files.paths[2].read_bytes())
    spans = records.index(path)
    records.save_index(path, spans[::-1])
    assert RecordDataset(path, files.schema)[0]["number"] == 17 + 24
    with path.open("ab") as file:  # now the index is stale, and the file is read
        file.write(files.paths[3].read_bytes())
    with pytest.warns(RuntimeWarning, match="has changed since it was indexed; the file is"):
        assert RecordDataset(path, files.schema)[-1]["number"] == files.n - 1


def test_skip_continues_after_a_file_that_is_cut_short(files: Any, tmp_path: Path) -> None:
    """As a shard is that is still being written."""
    paths = [tmp_path / "cut.tfrecord", files.paths[3]]
    whole = files.paths[0].read_bytes()
    (tmp_path / "cut.tfrecord").write_bytes(whole[:-6])
    good = [*range(16), *range(42, 51)]
    dataset = RecordDataset(paths, files.schema, on_error="skip")
    assert dataset.__getitems__(np.arange(25))["number"].tolist() == good
    assert (dataset.report.count, dataset.report.losses[0].end) == (1, len(whole) - 6)
    stream = RecordStream(paths, files.schema, batch_size=4, on_error="skip", threads=2)
    assert [int(n) for batch in stream for n in batch["number"]] == good
    with pytest.raises(RecordError, match="TRUNCATED"):
        RecordDataset(paths, files.schema)


def test_what_cannot_be_read_is_refused_at_once(tmp_path: Path, files: Any) -> None:
    for kind in ("gzip", "zlib"):
        records.write(tmp_path / kind, records.raw(files.paths[0]), compression=kind)
        with pytest.raises(ValueError, match=rf"is compressed \({kind}\).*records\.raw\(source\)"):
            RecordDataset(tmp_path / kind, files.schema)
    with pytest.raises(FileNotFoundError):
        RecordDataset(tmp_path / "*.none", files.schema)
    with pytest.raises(TypeError, match="paths must be paths, URLs or patterns, not bytes"):
        RecordDataset(b"", files.schema)
    with pytest.raises(TypeError, match="schema must be a Schema, not dict"):
        RecordDataset(files.paths, {})
    with pytest.raises(ValueError, match="on_error must be one of"):
        RecordDataset(files.paths, files.schema, on_error="ignore")
    with pytest.raises(ValueError, match="missing must be 'warn' or 'allow', not 'error'"):
        RecordDataset(files.paths, files.schema, missing="error")
    with pytest.raises(ValueError, match="backend must be one that decodes records, not 'numpy'"):
        RecordDataset(files.paths, files.schema, backend="numpy")


def damaged(files: Any, tmp_path: Path) -> tuple[RecordDataset, list[Path]]:
    """Return a dataset of the second and third file, whose 5th record has changed since."""
    paths = [Path(shutil.copy(path, tmp_path)) for path in files.paths[2:]]
    dataset = RecordDataset(paths, files.schema, on_error="skip")
    damage(paths[1], 5)
    return dataset, paths


def test_a_record_error_says_which_record_of_which_file(files: Any, tmp_path: Path) -> None:
    dataset, paths = damaged(files, tmp_path)
    with pytest.raises(RecordError, match="DATA_CRC") as caught:
        dataset[30]
    assert (caught.value.path, caught.value.record) == (str(paths[1]), 5)
    with pytest.raises(RecordError) as caught:
        RecordDataset(paths, files.schema)
    assert (caught.value.path, caught.value.record) == (str(paths[1]), 5)


@pytest.mark.parametrize("numbers", [[33, 30, 2, 30], range(25, 34), [30]])
def test_a_bad_record_is_left_out(files: Any, tmp_path: Path, numbers: Any) -> None:
    dataset, _ = damaged(files, tmp_path)
    batch = dataset.__getitems__(numbers)
    assert batch["number"].tolist() == [17 + number for number in numbers if number != 30]
    assert dataset.report.count == list(numbers).count(30)
    assert dataset.report.codes == {Code.DATA_CRC: dataset.report.count}


def test_what_does_not_fit_the_schema_is_left_out_or_raised(files: Any) -> None:
    schema = records.Schema({"ids": ("int64", 3), "number": ("int64", ())})
    with pytest.raises(RecordError, match="'ids'") as caught:
        RecordDataset(files.paths, schema).__getitems__(range(18, 30))
    assert (caught.value.path, caught.value.record) == (str(files.paths[2]), 1)
    batch = RecordDataset(files.paths, schema, on_error="skip").__getitems__(np.arange(20))
    assert batch["number"].tolist() == [3, 7, 11, 15, 19]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes with a name")
def test_a_pipe_in_place_of_a_file_blocks_nobody(files: Any, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(files.paths[0].read_bytes())
    dataset = RecordDataset(path, files.schema)
    path.unlink()
    os.mkfifo(path)
    for function in (lambda: dataset[0], lambda: RecordDataset(path, files.schema)):
        with pytest.raises(ValueError, match="file: not a regular file"):
            function()
