"""Batches of a stream: their order, what they are, and what is raised in their place."""

from __future__ import annotations

import gc
import itertools
import pickle
import shutil
from collections.abc import Mapping
from pathlib import Path
from traceback import extract_tb
from typing import Any

import numpy as np
import pytest

from ffi_cookbook import records
from ffi_cookbook.bindings.errors import Code, RecordError
from ffi_cookbook.data import Metrics, RecordDataset, RecordStream, StreamBatch
from ffi_cookbook.data.records import mapped_frames as mapped
from ffi_cookbook.data.stream import base as iterating
from ffi_cookbook.data.stream import maker as making
from ffi_cookbook.data.stream.maker import split
from ffi_cookbook.records import Schema
from support.backends import needs
from support.record_numbers import damage, flat, numbers


@pytest.mark.parametrize("threads", [0, 1, 2, 3])
@pytest.mark.parametrize("max_bytes", [1, 1 << 20])
def test_batches_in_the_order_of_the_files(files: Any, threads: int, max_bytes: int) -> None:
    limits = {"threads": threads, "max_bytes": max_bytes}
    batches = list(RecordStream(files.paths, files.schema, batch_size=20, **limits))
    assert numbers(batches) == [list(range(20)), list(range(20, 40)), list(range(40, 51))]
    (whole,) = records.read(files.paths[0], files.schema)
    ids = np.concatenate([batch["ids"].values for batch in batches])
    assert ids[: len(whole["ids"].values)].tolist() == whole["ids"].values.tolist()


def test_an_epoch_has_an_order_of_its_own(dataset: RecordDataset) -> None:
    one = RecordStream(dataset, batch_size=16, shuffle=True, seed=5, threads=2)
    first = numbers(one)
    assert sorted(flat(first)) == list(range(51))
    second = numbers(one)
    assert second != first
    for epoch, order in ((0, first), (1, second), (1, second)):
        one.set_epoch(epoch)
        assert (numbers(one), one.epoch) == (order, epoch + 1)
    one.set_epoch(0)
    assert numbers(RecordStream(dataset, batch_size=16, shuffle=True, seed=5, threads=0)) == first


def test_a_batch_is_a_mapping_and_pickles(dataset: RecordDataset) -> None:
    batch = next(iter(RecordStream(dataset, batch_size=5)))
    assert isinstance(batch, Mapping)
    assert isinstance(batch, records.Batch)
    assert list(batch) == ["number", "pixels", "ids", "text"]
    assert (batch.get("none"), len(batch), len(list(batch.values()))) == (None, 5, 4)
    again = pickle.loads(pickle.dumps(batch))
    assert isinstance(again, StreamBatch)
    assert (again.state, numbers([again]), again.nbytes) == (batch.state, [[0, 1, 2, 3, 4]], 320)
    assert {batch: 1}[batch] == 1


@pytest.mark.parametrize("threads", [0, 2])
def test_an_exception_comes_out_as_it_is(
    dataset: RecordDataset, files: Any, tmp_path: Path, threads: int
) -> None:
    def collate(batch: StreamBatch) -> None:
        raise LookupError("of the user's own")

    with pytest.raises(LookupError, match="of the user's own") as caught:
        list(RecordStream(dataset, threads=threads, collate=collate))
    names = [frame.name for frame in extract_tb(caught.value.__traceback__)]
    assert names[-1] == "collate"

    path = Path(shutil.copy(files.paths[0], tmp_path))
    one = RecordStream(path, files.schema, batch_size=5, threads=threads)
    damage(path, 7)
    found = []
    with pytest.raises(RecordError) as error:
        found += [batch["number"].tolist() for batch in one]
    assert (error.value.code, error.value.path) == (Code.DATA_CRC, str(path))
    assert error.value.record == 7
    other = RecordStream(files.paths[0], files.schema, threads=threads)
    other.dataset.paths[0] = str(tmp_path / "none")
    with pytest.raises(FileNotFoundError):
        list(other)


def until_it_raises(batches: Any) -> tuple[list[Any], Exception | None]:
    """Return the batches, and the exception that ends them."""
    found: list[Any] = []
    try:
        found.extend(batches)
    except Exception as error:
        return found, error
    return found, None


@pytest.mark.parametrize("threads", [0, 1, 3])
def test_small_batches_that_are_decoded_at_once(
    dataset: RecordDataset, files: Any, tmp_path: Path, threads: int
) -> None:
    """Each is what it is alone, and what is raised stands in its place."""
    needs("pyarrow")
    options: Any = {"batch_size": 3, "shuffle": True, "seed": 1, "threads": threads}
    for batch in RecordStream(dataset, **options):
        alone = dataset.__getitems__(batch["number"])
        assert batch.to_arrow().equals(alone.to_arrow())
        assert StreamBatch(alone, {}).nbytes == batch.nbytes
    order = numbers(RecordStream(dataset, **options))

    def collate(batch: StreamBatch) -> list[int]:
        if 30 in batch["number"]:
            raise LookupError("of the user's own")
        return batch["number"].tolist()

    place = next(i for i, batch in enumerate(order) if 30 in batch)
    one = RecordStream(dataset, collate=collate, **options)
    found, error = until_it_raises(one)
    assert isinstance(error, LookupError)
    assert (found, one.state_dict()["taken"]) == (order[:place], 3 * place)

    for policy, expected in (("raise", order[:place]), ("skip", order)):
        paths = [Path(shutil.copy(path, tmp_path)) for path in files.paths]
        one = RecordStream(paths, files.schema, on_error=policy, **options)
        damage(paths[2], 13)  # record 30
        batches, error = until_it_raises(one)
        assert numbers(batches) == [[n for n in batch if n != 30] for batch in expected]
        assert getattr(error, "record", None) == (13 if policy == "raise" else None)


def test_rows_of_every_kind_of_column(tmp_path: Path) -> None:
    needs("pyarrow")
    lists = {"steps": [[1, 2], [], [3]], "words": [[b"a"], [b"", b"bc"]]}
    rows = [records.encode_sequence_example({"k": [b"x"] * i}, lists) for i in range(6)]
    records.write(tmp_path / "a", rows)
    schema = records.Schema({"k": "bytes"}, sequence={"steps": "int64", "words": "bytes"})
    (whole,) = records.read(tmp_path / "a", schema)
    parts = list(split(whole, [1, 0, 3, 2]))
    assert [len(part) for part in parts] == [1, 0, 3, 2]
    assert [row for part in parts for row in part.to_arrow().to_pylist()] == (
        whole.to_arrow().to_pylist()
    )
    assert parts[2]["k"].offsets[0] == parts[2]["k"].value_offsets[0] == 0


def test_arguments_that_mean_nothing(dataset: RecordDataset, files: Any) -> None:
    for options, match in (
        ({"batch_size": 0}, "batch_size must be at least 1, not 0"),
        ({"threads": -1}, "threads must be at least 0, not -1"),
        ({"max_bytes": 0}, "max_bytes must be at least 1"),
        ({"seed": -1}, "seed"),
        ({"rank": 2, "world": 2}, "rank must be between"),
    ):
        with pytest.raises(ValueError, match=match):
            RecordStream(dataset, **options)
    with pytest.raises(TypeError, match="rank and world"):
        RecordStream(dataset, rank=0)
    with pytest.raises(TypeError, match="schema must be a Schema"):
        RecordStream(files.paths)
    with pytest.raises(TypeError, match="a schema and options already"):
        RecordStream(dataset, files.schema)
    with pytest.raises(ValueError, match="epoch must be at least 0"):
        RecordStream(dataset).set_epoch(-1)


# ---- Features that no record of a data set has, most often because a name is misspelt.


HINT = r"'lable' \(did you mean 'label'\?\)"
TYPO = Schema({"lable": "int64"})


@pytest.fixture
def path(tmp_path: Path) -> Path:
    rows = ({"label": i, "rare": [1] * (i == 700), "none": []} for i in range(1200))
    records.write(tmp_path / "file", rows)
    return tmp_path / "file"


@pytest.mark.parametrize("threads", [0, 1])
@pytest.mark.parametrize("maps", [True, False])
@pytest.mark.parametrize(
    "schema",
    [
        TYPO,
        Schema({"lable": ("int64", ())}, defaults={"lable": 0}),
        Schema({}, sequence={"lable": "int64"}),
    ],
)
def test_it_is_a_warning_after_a_thousand_records(
    path: Path, schema: Schema, maps: bool, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not maps:
        gc.collect()  # of maps of earlier tests, which need the function to be removed
        monkeypatch.setattr(mapped, "_libc", lambda: None)
    stream = RecordStream(path, schema, batch_size=100, threads=threads, shuffle=True)
    message = rf"none of the first 1\d00 records read has .*{HINT}"
    with pytest.warns(UserWarning, match=message) as found:
        sizes = [len(batch) for _ in range(2) for batch in stream]
    assert (len(found), sum(sizes)) == (1, 2400)


def test_a_small_data_set_warns_when_all_has_been_read(path: Path) -> None:
    dataset = RecordDataset(path, TYPO).take(5)
    for i in range(4):
        dataset[i]
    with pytest.warns(UserWarning, match=rf"none of the first 5 records read has .*{HINT}"):
        dataset[4]


@pytest.mark.parametrize(
    ("schema", "options"),
    [
        (Schema({"rare": "int64", "label": "int64"}), {}),
        (Schema({"label": ("int64", ())}, defaults={"label": 0}), {}),
        (Schema({"none": "int64"}), {}),
        (TYPO, {"missing": "allow"}),
    ],
)
def test_what_is_no_warning(path: Path, schema: Schema, options: Any) -> None:
    stream = RecordStream(RecordDataset(path, schema, **options).skip(300), threads=1)
    assert sum(map(len, stream)) == 900


# ---- What a stream says of itself, with a clock that counts its own calls.


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return a clock on which a second passes with every look at it."""
    ticks = itertools.count()
    for module in (making, iterating):
        monkeypatch.setattr(module, "clock", lambda: float(next(ticks)))
    return lambda: next(ticks)


@pytest.mark.parametrize("threads", [0, 2])
def test_what_is_handed_out_is_counted(files: Any, threads: int) -> None:
    schema = records.Schema({"ids": ("int64", 3), "number": ("int64", ())})
    options: Any = {"batch_size": 20, "threads": threads}
    one = RecordStream(files.paths, schema, on_error="skip", **options)
    batches = list(one)
    found, n = one.metrics, sum(map(len, batches))
    assert (found.batches, found.records, found.lost) == (3, n, 51 - n)
    assert found.lost == one.dataset.report.count > 0
    assert found.bytes == sum(batch.nbytes for batch in batches)
    assert pickle.loads(pickle.dumps(one)).metrics == found
    found.reset()
    assert found == Metrics()


def test_the_seconds_add_up(files: Any, clock: Any) -> None:
    """A batch takes a second to read, 3 in `collate`, and the loop 2 more."""

    def collate(batch: Any) -> int:
        clock(), clock()
        return len(batch)

    one = RecordStream(files.paths, files.schema, batch_size=17, threads=0, collate=collate)
    for _ in one:
        clock()
    found = one.metrics
    assert (found.reading, found.collating) == (3, 9)
    assert found.elapsed == found.waited + 2 * 2


@pytest.mark.parametrize(
    ("waited", "reading", "collating", "expected"),
    [(4, 90, 0, "loop"), (6, 60, 40, "reading"), (6, 40, 60, "collate")],
)
def test_the_bottleneck_is_named(waited: int, reading: int, collating: int, expected: str) -> None:
    found = Metrics(elapsed=100, waited=waited, reading=reading, collating=collating)
    assert found.bottleneck == expected
