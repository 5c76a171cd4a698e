"""What a stream says of itself, with a clock that counts its own calls."""

from __future__ import annotations

import itertools
import json
import pickle
from functools import partial
from typing import Any

import numpy as np
import pytest
from rich.console import Console
from rich.progress import track

from ffi_cookbook import records
from ffi_cookbook.data import Metrics, RecordDataset, RecordStream
from ffi_cookbook.data.stream import base as iterating
from ffi_cookbook.data.stream import maker as making


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return a clock on which a second passes with every look at it."""
    ticks = itertools.count()
    for module in (making, iterating):
        monkeypatch.setattr(module, "clock", lambda: float(next(ticks)))
    return lambda: next(ticks)


@pytest.mark.parametrize("threads", [0, 2])
def test_what_is_handed_out_is_counted(files: Any, threads: int) -> None:
    one = RecordStream(files.paths, files.schema, batch_size=20, threads=threads)
    batches = list(one)
    found = one.metrics
    assert (found.batches, found.records, found.lost) == (3, 51, 0)
    assert found.bytes == sum(batch.nbytes for batch in batches)
    list(one)
    assert found.records == 102
    found.reset()
    assert found == Metrics()
    next(iter(one))
    assert (found.batches, found.records) == (1, 20)


def test_the_seconds_add_up(files: Any, clock: Any) -> None:
    """A batch takes a second to read, 3 in `collate`, and the loop 2 more."""

    def collate(batch: Any) -> int:
        clock(), clock()
        return len(batch)

    one = RecordStream(files.paths, files.schema, batch_size=17, threads=0, collate=collate)
    for _ in one:
        clock()
    found = one.metrics
    assert (found.reading, found.gil, found.collating) == (3, 0, 9)
    assert found.elapsed == found.waited + 2 * 2
    assert found.share_collating == 0.75
    assert found.share_waited == found.waited / found.elapsed
    assert found.records_per_second == 51 / found.elapsed
    assert found.bytes_per_second == found.bytes / found.elapsed


def test_the_wait_for_the_gil_is_that_of_all_calls_since_the_last_look(
    dataset: RecordDataset, clock: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A look takes a second, and all else of a call 5 seconds."""
    monkeypatch.setattr(making, "_BETWEEN_LOOKS", 20)
    maker = making.Maker(partial(making.read_records, dataset), len)
    parts = [(np.arange(3), {})]
    waited = [maker.all_at_once(parts)[1][0][0].gil for _ in range(8)]
    assert waited == [1, 0, 0, 0, 4, 0, 0, 0]
    assert Metrics(reading=3, collating=1, gil=1).share_gil == 0.2


def test_as_a_line_of_json(files: Any) -> None:
    one = RecordStream(files.paths, files.schema, batch_size=20)
    assert json.loads(Metrics().json_line())["records_per_second"] == 0
    list(one)
    line = one.metrics.json_line()
    assert "\n" not in line
    found = json.loads(line)
    assert found["records"] == 51
    assert found.pop("bottleneck") == one.metrics.bottleneck
    assert found == one.metrics.scalars()
    assert all(isinstance(value, int | float) for value in found.values())
    assert pickle.loads(pickle.dumps(one)).metrics == one.metrics


def test_lost_records_are_counted(files: Any) -> None:
    schema = records.Schema({"ids": ("int64", 3), "number": ("int64", ())})
    one = RecordStream(files.paths, schema, batch_size=10, on_error="skip")
    seen = sum(map(len, one))
    assert (one.metrics.records, one.metrics.lost) == (seen, 51 - seen)
    assert one.metrics.lost == one.dataset.report.count > 0


@pytest.mark.parametrize(
    ("waited", "reading", "gil", "collating", "expected"),
    [
        (4, 90, 90, 0, "loop"),
        (6, 60, 5, 40, "reading"),
        (6, 40, 5, 60, "collate"),
        (6, 40, 20, 60, "GIL"),
        (6, 60, 20, 40, "GIL"),
    ],
)
def test_the_bottleneck_is_named(
    waited: int, reading: int, gil: int, collating: int, expected: str
) -> None:
    seconds = {"waited": waited, "reading": reading, "gil": gil, "collating": collating}
    assert Metrics(elapsed=100, **seconds).bottleneck == expected


def test_without_the_gil_nobody_waits_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    maker = making.Maker(lambda parts: iter(parts), None)
    monkeypatch.setattr(making, "_has_gil", lambda: False)
    assert maker._waited_for_gil() == 0.0
    monkeypatch.setattr(making, "_has_gil", lambda: True)
    assert maker._waited_for_gil() > 0.0


def test_a_bar_knows_how_many_batches_come(files: Any) -> None:
    one = RecordStream(files.paths, files.schema, batch_size=20)
    assert one.n_batches == 3
    assert len(list(track(one, total=one.n_batches, console=Console(quiet=True)))) == 3
    next(iter(one))
    one.load_state_dict(one.state_dict())
    assert one.n_batches == 2
    options: Any = {"batch_size": 20, "drop_last": True, "bucket_batches": 2}
    assert RecordStream(files.paths, files.schema, **options).n_batches == 2
