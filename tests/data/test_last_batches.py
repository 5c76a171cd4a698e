"""The last batches of an epoch: ranks with unequal numbers of them, padded ones, and none."""

from __future__ import annotations

import json
import math
import shutil
import warnings
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ffi_cookbook import records
from ffi_cookbook.data import Mixture, RecordDataset, RecordStream
from ffi_cookbook.data.order import job
from support.record_numbers import damage, flat, numbers


def valid(batches: list[Any]) -> list[int]:
    return [int(n) for batch in batches for n in batch["number"][batch.valid]]


def shares(source: Any, world: int, workers: int, patch: Any, **options: Any) -> list[RecordStream]:
    """Return the streams of all shares; each is iterated right after it is made."""
    found = []
    for rank in range(world):
        for worker in range(workers):
            patch.setattr(job, "worker_and_workers", lambda worker=worker: (worker, workers))
            found.append(RecordStream(source, rank=rank, world=world, **options))
            found[-1].batches = list(found[-1])
    patch.undo()
    return found


@pytest.mark.parametrize("kind", ["in order", "shuffled", "mixture"])
@pytest.mark.parametrize(("world", "workers"), [(1, 1), (2, 1), (3, 2), (60, 1)])
def test_padded_batches(
    dataset: RecordDataset, kind: str, world: int, workers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All shares have as many batches, all of them full, and each record is valid once."""
    source: Any = dataset
    options: Any = {"batch_size": 4, "pad_last": True, "shuffle": kind != "in order"}
    if kind == "mixture":
        source = Mixture([dataset.take(20), dataset.skip(20)], [1, 1])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        streams = shares(source, world, workers, monkeypatch, **options)
    batches = [one.batches for one in streams]
    plain = Counter(flat(numbers(RecordStream(source, **options | {"pad_last": False}))))
    assert Counter(n for some in batches for n in valid(some)) == plain
    per_share = math.ceil(len(source) / (4 * world * workers))
    for one, some in zip(streams, batches, strict=True):
        assert [len(batch) for batch in some] == [4] * per_share
        assert all(batch.valid.dtype == bool for batch in some)
        assert workers > 1 or one.n_batches == per_share
    for some in batches:  # those that fill up are at the end
        flags = np.concatenate([batch.valid for batch in some])
        assert (np.sort(flags)[::-1] == flags).all()


def test_a_padded_epoch_is_resumed(dataset: RecordDataset, monkeypatch: pytest.MonkeyPatch) -> None:
    """After each batch, also one of nothing but records that fill it up."""
    options: Any = {"batch_size": 4, "pad_last": True, "shuffle": True}
    for one in shares(dataset.take(9), 2, 1, monkeypatch, **options):
        batches = one.batches
        assert len(batches) == 2
        for done, batch in enumerate(batches, 1):
            one.load_state_dict(json.loads(json.dumps(batch.state)))
            if done < len(batches):
                assert one.n_batches == 2 - done
                assert numbers(one) == numbers(batches[done:])
            else:  # the next epoch
                assert one.n_batches == len(list(one)) == 2
    states = [one.batches[0].state for one in shares(dataset, 2, 1, monkeypatch, **options)]
    seen = list[int]()
    for rank in range(3):
        one = RecordStream(dataset, rank=rank, world=3, **options)
        one.load_state_dict(states)
        batches = list(one)
        assert len(batches) == 4  # 51 - 8 records
        seen += valid(batches)
    first = [
        n for one in shares(dataset, 2, 1, monkeypatch, **options) for n in valid(one.batches[:1])
    ]
    assert sorted(seen + first) == list(range(51))
    other = RecordStream(dataset, **options | {"pad_last": False})
    with pytest.raises(
        ValueError, match="states: the batch_size of pad_last was 4, and is not given"
    ):
        other.load_state_dict(states)


def test_padding_and_bad_records(files: Any, tmp_path: Path) -> None:
    """A bad record is missing in every place, and `valid` is still that of each row."""
    path, spans = Path(shutil.copy(files.paths[3], tmp_path)), records.index(files.paths[3])
    damage(path, 1)  # record 43 of those from 42 to 50
    records.save_index(path, spans)
    stream = RecordStream(
        path, files.schema, batch_size=6, pad_last=True, on_error="skip", threads=0
    )
    first, second = stream
    assert (first["number"].tolist(), first.valid.all()) == ([42, 44, 45, 46, 47], True)
    assert second["number"].tolist() == [48, 49, 50, 42, 44]
    assert second.valid.tolist() == [True, True, True, False, False]


def test_an_epoch_without_a_batch_is_told(dataset: RecordDataset) -> None:
    for options in ({"batch_size": 52}, {"batch_size": 26, "rank": 1, "world": 2}):
        stream = RecordStream(dataset, drop_last=True, **options)
        with pytest.warns(UserWarning, match="drop_last leaves no batch: no share of the epoch"):
            assert list(stream) == []
    stream = RecordStream(dataset, batch_size=51, drop_last=True)
    (batch,) = stream
    stream.load_state_dict(batch.state)
    assert len(list(stream)) == 1  # the next epoch


def test_a_stream_without_records_is_told(files: Any, tmp_path: Path) -> None:
    """A file without records is one of the data set; a data set of nothing else is a mistake."""
    empty = tmp_path / "empty.tfrecord"
    records.write(empty, [])
    assert len(list(RecordStream([empty, *files.paths], files.schema, batch_size=51))) == 1
    for paths, names in ((empty, r"1 files: empty.tfrecord \(0\)"), ([], "0 files")):
        with pytest.warns(UserWarning, match=f"the stream has no records; it reads {names}"):
            assert list(RecordStream(paths, files.schema)) == []


def test_ranks_with_unequal_numbers_of_batches_are_told(
    dataset: RecordDataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before the first batch, on every rank, once for all workers; and not if they are equal."""
    words = "the first rank has 6 batches left and the last has 5: ranks that wait for each other"
    for rank in range(2):
        batches = iter(RecordStream(dataset, batch_size=5, rank=rank, world=2))
        with pytest.warns(UserWarning, match=words) as caught:
            next(batches)
        assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for options in (
            {"batch_size": 4},
            {"batch_size": 5, "drop_last": True},
            {"batch_size": 5, "pad_last": True},
        ):
            list(RecordStream(dataset, rank=1, world=2, **options))
        list(RecordStream(dataset, batch_size=5))
    with pytest.raises(ValueError, match="pad_last must be False if drop_last is True"):
        RecordStream(dataset, drop_last=True, pad_last=True)
