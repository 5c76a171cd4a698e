"""A stream gives each record once over ranks and workers, and goes on exactly where it stood."""

from __future__ import annotations

import json
import multiprocessing
import os
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ffi_cookbook import records
from ffi_cookbook.data import Mixture, RecordDataset, RecordStream
from ffi_cookbook.data.order import job
from support.backends import needs
from support.record_numbers import flat, numbers


def test_a_batch_carries_the_state_behind_it(dataset: RecordDataset) -> None:
    options: Any = {"batch_size": 8, "shuffle": True, "threads": 2}
    one = RecordStream(dataset, **options)
    batches = list(one)
    for reached, batch in enumerate(batches[:-1], 1):
        again = RecordStream(dataset, **options)
        again.load_state_dict(json.loads(json.dumps(batch.state)))
        again.set_epoch(again.epoch)  # as a training loop does for every epoch
        assert again.state_dict() == batch.state
        assert numbers(again) == numbers(batches[reached:])
    assert one.state_dict() == batches[-1].state
    again.set_epoch(0)
    assert numbers(again) == numbers(batches)  # the next time, all of it


def test_what_differs_from_a_state_is_named(tmp_path: Path) -> None:
    """The argument and both values, or the files; checksums say nothing to a reader."""
    schema = records.Schema({"number": ("int64", ())})

    def files(*sizes: int, front: str = "") -> list[Path]:
        for i, size in enumerate(sizes):
            records.write(tmp_path / f"{front}{i}", ({"number": n} for n in range(size)))
        return [tmp_path / f"{front}{i}" for i in range(len(sizes))]

    paths, options = files(5, 6, 7), {"batch_size": 4, "shuffle": True}

    def refused(source: Any, **other: Any) -> str:
        with pytest.raises(ValueError, match=r"^states: ") as raised:
            RecordStream(source, schema, **{**options, **other}).load_state_dict(state)
        return str(raised.value)

    state = RecordStream(paths, schema, **options).state_dict()
    assert refused(paths, seed=1) == "states: seed was 0, and is 1 here"
    assert refused(paths, shuffle=False) == "states: shuffle was True, and is False here"
    assert "pad_last was not given, and is 4 here" in refused(paths, pad_last=True)
    three = "3 files: 0 (5), 1 (6), 2 (7)"
    was = f"states: the files (with their records) were {three}, and are 2 files"
    assert refused(paths[:2]) == f"{was}: 0 (5), 1 (6) here"
    assert "2 (8) here" in refused(files(5, 6, 8))
    rows = ({"number": 10**9} for _ in range(7))
    records.write(tmp_path / "2", rows)
    assert refused(paths) == f"states: the records are others, though the files are {three}"
    old = {name: value for name, value in state.items() if name != "files"}
    for forged, was in ((old, "None"), ({**old, "files": [3, []]}, "[3, []]")):
        state = forged
        assert f"were {was}, and are 3 files" in refused(paths)
    many = files(*[1] * 100, front="many-")
    state = RecordStream(many, schema, **options).state_dict()
    assert len(json.dumps(state)) < 600
    assert "were 100 files, among them: many-0 (1), many-14 (1)," in refused(paths)


def test_a_state_that_the_caller_changes(dataset: RecordDataset) -> None:
    one = RecordStream(dataset, batch_size=8)
    next(iter(one))
    state = one.state_dict()
    state["taken"], state["places"][0][0] = 50, 3
    assert one.state_dict()["taken"] == 8
    assert one.state_dict()["places"][0][0] == 0


def test_a_stream_that_refuses_a_state_is_as_before(dataset: RecordDataset) -> None:
    one = RecordStream(dataset, batch_size=8)
    before, twice = one.state_dict(), [[0, 1, 10], [9, 1, 10]]
    epochs = [("epoch", epoch) for epoch in ("x", None, 1.5, -1, 2**63)]
    for name, value in [*epochs, ("taken", "3"), ("n", None), ("places", twice)]:
        with pytest.raises(ValueError, match=r"^states: "):
            one.load_state_dict({**before, name: value})
    assert (one.state_dict(), one.epoch) == (before, 0)
    assert len(list(one)) == 7


@pytest.mark.parametrize("world", [1, 2, 3, 7])
def test_drop_last_gives_every_rank_as_many_full_batches(
    dataset: RecordDataset, world: int
) -> None:
    for drop_last in (True, False):
        found = [
            numbers(
                RecordStream(dataset, batch_size=4, rank=rank, world=world, drop_last=drop_last)
            )
            for rank in range(world)
        ]
        seen = flat(flat(found))
        assert len(seen) == len(set(seen))
        if drop_last:
            assert {len(batch) for batches in found for batch in batches} <= {4}
            assert {len(batches) for batches in found} == {51 // world // 4}
        else:
            assert len(seen) == 51


def test_the_rank_is_that_of_the_launcher(
    dataset: RecordDataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RANK", "1")
    monkeypatch.setenv("WORLD_SIZE", "3")
    assert job.rank_and_world() == (1, 3)
    one = RecordStream(dataset, batch_size=99)
    assert numbers(one) == [list(range(1, 51, 3))]
    sent = pickle.dumps(one)
    monkeypatch.setenv("RANK", "2")
    assert numbers(pickle.loads(sent)) == [list(range(2, 51, 3))]
    monkeypatch.setenv("WORLD_SIZE", "three")
    with pytest.raises(ValueError, match="RANK and WORLD_SIZE must be integers, not"):
        job.rank_and_world()
    monkeypatch.delenv("RANK")
    assert numbers(pickle.loads(sent)) == [list(range(51))]


def without_rank(stream: RecordStream, answers: Any) -> None:
    """Report the records of a stream in a process that does not know its rank."""
    del os.environ["RANK"]
    answers.put(numbers(stream))


def test_a_process_that_is_spawned_has_the_rank_of_its_parent(
    dataset: RecordDataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RANK", "1")
    monkeypatch.setenv("WORLD_SIZE", "3")
    context = multiprocessing.get_context("spawn")
    answers = context.Queue()
    stream = RecordStream(dataset, batch_size=99)
    child = context.Process(target=without_rank, args=(stream, answers))
    child.start()
    assert answers.get(timeout=120) == [list(range(1, 51, 3))]
    child.join()


def as_rank(rank: int, stream: RecordStream, turn: Any, answers: Any) -> None:
    """Report which records this rank has, and its next epoch."""
    os.environ.update(RANK=str(rank), WORLD_SIZE="2")
    if rank == 0:
        stream.set_epoch(1)
        turn.set()
    turn.wait()
    numbers = [number for batch in stream for number in batch["number"].tolist()]
    answers.put((rank, stream.epoch, numbers))


@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded")
@pytest.mark.parametrize("method", ["fork", pytest.param("spawn", marks=pytest.mark.full)])
def test_ranks_that_inherit_a_stream_share_the_records_and_no_epoch(
    files: Any, method: Any
) -> None:
    stream = RecordStream(files.paths, files.schema, batch_size=5)
    context = multiprocessing.get_context(method)
    turn, answers = context.Event(), context.Queue()
    ranks = [
        context.Process(target=as_rank, args=(rank, stream, turn, answers)) for rank in range(2)
    ]
    for rank in ranks:
        rank.start()
    found = sorted(answers.get(timeout=120) for _ in ranks)
    for rank in ranks:
        rank.join()
    assert [(rank, epoch) for rank, epoch, _ in found] == [(0, 2), (1, 1)]
    assert sorted(found[0][2] + found[1][2]) == list(range(files.n))
    assert stream.epoch == 0


@pytest.mark.parametrize("workers", [0, 1, 2])
@pytest.mark.parametrize("persistent", [False, True])
def test_a_loaded_state_holds_for_one_pass(files: Any, workers: int, persistent: bool) -> None:
    torch = needs("torch")
    options: Any = {"persistent_workers": persistent and workers > 0}
    stream = RecordStream(files.paths, files.schema, batch_size=1)
    behind = iter(stream)
    for _ in range(11):
        next(behind)
    again = RecordStream(files.paths, files.schema, batch_size=1)
    again.load_state_dict([stream.state_dict()])
    loader = torch.utils.data.DataLoader(again, batch_size=None, num_workers=workers, **options)
    passes = [sorted(batch["number"].item() for batch in loader) for _ in range(3)]
    assert passes == [list(range(11, files.n)), list(range(files.n)), list(range(files.n))]


def test_integers_of_numpy_are_integers(files: Any, tmp_path: Path) -> None:
    dataset = RecordDataset(files.paths, files.schema)
    for kind in (np.int64, np.uint8):
        stream = RecordStream(dataset, batch_size=kind(20), rank=kind(0), world=kind(2))
        assert len(next(iter(stream))) == 20
        json.dumps(stream.state_dict())
    weights = np.array([200, 100], np.uint8)
    assert Mixture([dataset, dataset], weights).counts == [51, 25]
    json.dumps(RecordStream(Mixture([dataset, dataset], weights)).state_dict())
    with pytest.raises(TypeError, match="batch_size must be an integer, not float"):
        RecordStream(dataset, batch_size=2.0)
