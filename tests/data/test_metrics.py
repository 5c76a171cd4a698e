"""What a stream says of itself, with a clock that counts its own calls."""

from __future__ import annotations

import itertools
import json
import pickle
from typing import Any

import pytest

from bindings import records
from bindings.data import Metrics, RecordStream, iterating, making


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
    """A batch takes a second to read, 3 in `collate`, and the loop 2 more seconds."""

    def collate(batch: Any) -> int:
        clock(), clock()
        return len(batch)

    one = RecordStream(files.paths, files.schema, batch_size=17, threads=0, collate=collate)
    for _ in one:
        clock()
    found = one.metrics
    assert (found.reading, found.collating) == (3, 9)
    assert found.elapsed == found.waited + 2 * 2
    assert found.share_collating == 0.75
    assert found.share_waited == found.waited / found.elapsed
    assert found.records_per_second == 51 / found.elapsed
    assert found.bytes_per_second == found.bytes / found.elapsed


def test_as_a_line_of_json(files: Any) -> None:
    one = RecordStream(files.paths, files.schema, batch_size=20)
    assert json.loads(Metrics().json_line())["records_per_second"] == 0
    list(one)
    line = one.metrics.json_line()
    assert "\n" not in line
    assert json.loads(line)["records"] == 51
    assert pickle.loads(pickle.dumps(one)).metrics == one.metrics


def test_lost_records_are_counted(files: Any) -> None:
    schema = records.Schema({"ids": ("int64", 3), "number": ("int64", ())})
    one = RecordStream(files.paths, schema, batch_size=10, on_error="skip")
    seen = sum(map(len, one))
    assert (one.metrics.records, one.metrics.lost) == (seen, 51 - seen)
    assert one.metrics.lost == one.dataset.report.count > 0
