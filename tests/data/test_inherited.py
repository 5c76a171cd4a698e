"""A stream that other processes inherit: ranks, workers of a later pass, and copies."""

from __future__ import annotations

import copy
import json
import multiprocessing
import os
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ffi_cookbook.data import Mixture, RecordDataset, RecordStream
from support.backends import needs


def as_rank(rank: int, stream: RecordStream, turn: Any, answers: Any) -> None:
    """Report which records this rank has, and its next epoch."""
    os.environ.update(RANK=str(rank), WORLD_SIZE="2")
    if rank == 0:
        stream.set_epoch(1)
        turn.set()
    turn.wait()
    numbers = [number for batch in stream for number in batch["number"].tolist()]
    answers.put((rank, stream.epoch, numbers))


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


def test_a_copy_has_an_epoch_of_its_own(files: Any) -> None:
    stream = RecordStream(files.paths, files.schema)
    other = copy.copy(stream)
    other.set_epoch(3)
    assert (stream.epoch, other.epoch) == (0, 3)


@pytest.mark.parametrize(
    "made", [copy.deepcopy, copy.copy, lambda s: pickle.loads(pickle.dumps(s))]
)
def test_persistent_workers_of_a_copy_see_the_next_epoch(files: Any, made: Any) -> None:
    torch = needs("torch")
    stream = made(RecordStream(files.paths, files.schema, batch_size=51, shuffle=True))
    loader = torch.utils.data.DataLoader(
        stream, batch_size=None, num_workers=1, persistent_workers=True
    )
    orders = []
    for epoch in range(2):
        stream.set_epoch(epoch)
        orders += [batch["number"].tolist() for batch in loader]
    assert orders[0] != orders[1]


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
        RecordStream(dataset, batch_size=2.0)  # type: ignore[arg-type]
