"""Which epoch a pass gives, the length of an epoch, and what a state at its end means."""

from __future__ import annotations

import copy
import itertools
import json
import pickle
import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from ffi_cookbook.data import RecordDataset, RecordStream, StreamBatch
from support.backends import needs
from support.record_numbers import flat, numbers


def keep(batch: StreamBatch) -> StreamBatch:
    return batch


@pytest.fixture
def made(dataset: RecordDataset) -> Callable[..., RecordStream]:
    """Return what makes a shuffled stream of 4 batches an epoch, the last one smaller."""
    options = {"batch_size": 15, "shuffle": True, "threads": 0}
    return lambda **others: RecordStream(dataset, **{**options, **others})


@pytest.fixture
def epochs(made: Any) -> list[list[int]]:
    """Return the order of each of some epochs."""
    found = []
    for epoch in range(5):
        one = made()
        one.set_epoch(epoch)
        found.append(flat(numbers(one)))
    return found


def test_a_finished_pass_advances_the_epoch(made: Any, epochs: list[list[int]]) -> None:
    one = made(threads=2)
    assert [flat(numbers(one)) for _ in range(3)] == epochs[:3]
    assert one.epoch == 3
    next(iter(one))  # a pass that is broken off does not
    assert (one.epoch, flat(numbers(one))) == (3, epochs[3])
    for _, _ in zip(range(4), one, strict=False):  # a loop that counts does not ask for the end
        pass
    assert one.epoch == 5


@pytest.mark.parametrize(
    "made_of", [copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))]
)
def test_a_copy_has_the_epoch(made: Any, epochs: list[list[int]], made_of: Any) -> None:
    one = made()
    list(one)
    other = made_of(one)
    assert flat(numbers(other)) == flat(numbers(one)) == epochs[1]


def test_set_epoch_wins_over_a_pass_that_goes_on(made: Any, epochs: list[list[int]]) -> None:
    one = made()
    for epoch in (0, 2):
        batches = iter(one)
        next(batches)
        one.set_epoch(epoch)
        list(batches)
        assert flat(numbers(one)) == epochs[epoch]


def test_the_length_is_that_of_the_whole_epoch(made: Any) -> None:
    for options, expected in (
        ({}, 4),
        ({"drop_last": True}, 3),
        ({"shuffle_window": 16}, 4),
        ({"bucket_batches": 2}, 4),
        ({"rank": 1, "world": 2}, 2),
        ({"rank": 1, "world": 2, "drop_last": True}, 1),
    ):
        one = made(**options)
        assert len(one) == one.n_batches == expected
        batches = iter(one)
        next(batches)
        one.load_state_dict(one.state_dict())
        assert (len(one), one.n_batches) == (expected, max(expected - 1, one.n_batches % 2))
        assert len(list(made(**options))) == expected


def test_a_state_at_the_end_is_the_next_epoch(made: Any, epochs: list[list[int]]) -> None:
    one = made()
    batches = list(one)
    for state in (one.state_dict(), batches[-1].state, [one.state_dict()]):
        again = made()
        again.load_state_dict(json.loads(json.dumps(state)))
        assert (again.epoch, again.n_batches) == (1, 4)
        assert flat(numbers(again)) == epochs[1]
        for epoch, expected in ((0, []), (0, epochs[0]), (1, epochs[1])):
            if not expected:
                again.load_state_dict(state)
            again.set_epoch(epoch)  # of the state's epoch, nothing is left
            assert flat(numbers(again)) == expected


def test_shares_end_an_epoch_together(made: Any) -> None:
    """A rank that is at its end before the others begins no new epoch if it knows their states."""
    ranks = [made(batch_size=25, rank=rank, world=2) for rank in range(2)]
    for rank, most in ((0, 1), (1, 1)):
        for _, _ in zip(range(most), ranks[rank], strict=False):
            pass
    states = [one.state_dict() for one in ranks]
    again = [made(batch_size=25, rank=rank, world=2) for rank in range(2)]
    for one in again:
        one.load_state_dict(states)
    assert [(one.epoch, len(list(one))) for one in again] == [(0, 1), (0, 0)]
    assert [one.epoch for one in again] == [1, 1]


def test_the_state_is_that_of_the_iterator_that_began_first(made: Any) -> None:
    one = made()
    for step, batch in enumerate(one, 1):
        if step == 2:
            assert len(list(one)) == 4  # an evaluation
            inner = iter(one)
            next(inner)
            assert one.state_dict() == batch.state
            inner.close()  # type: ignore[attr-defined]
        if step == 3:
            break
    assert one.state_dict() == batch.state
    assert batch.state["taken"] == 45


@pytest.mark.parametrize("persistent", [False, True])
def test_workers_agree_on_the_epoch(made: Any, epochs: list[list[int]], persistent: bool) -> None:
    """Also when passes are broken off or overlap, while workers are ahead of the main process."""
    torch = needs("torch")
    one = made(batch_size=2)
    loader = torch.utils.data.DataLoader(
        one, batch_size=None, num_workers=2, persistent_workers=persistent, collate_fn=keep
    )
    assert len(loader) == 26
    for epoch in range(2):
        found = flat(numbers(loader))
        assert (found[:2], sorted(found)) == (epochs[epoch][0:4:2], list(range(51)))
        assert one.epoch == epoch + 1
    for most in (1, 14, 25):
        for _, _ in zip(range(most), loader, strict=False):
            pass
        assert sorted(flat(numbers(loader))) == list(range(51))
    if not persistent:
        for found in zip(*zip(loader, loader, strict=True), strict=True):
            assert sorted(flat(numbers(found))) == list(range(51))
    one.set_epoch(3)
    assert sorted(flat(numbers(itertools.islice(loader, 2)))) == sorted(epochs[3][:4])
    assert one.epoch == 3


def test_workers_that_make_more_batches_than_the_length_say_so(made: Any) -> None:
    """The warning is an error here, as all are, and comes out of the worker."""
    torch = needs("torch")
    loader = torch.utils.data.DataLoader(
        made(batch_size=3), batch_size=None, num_workers=2, collate_fn=keep
    )
    assert sorted(flat(numbers(loader))) == list(range(51))
    assert len(loader) == 17
    with pytest.raises(UserWarning, match=r"2 workers make 18 batches .* leaves out the last 1"):
        list(loader)


def test_accelerate_must_not_deal_out_the_batches_again(
    made: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Part:
        def __init__(self, dataset: Any) -> None:
            self.dataset = dataset

    class Dispatcher(Part):
        pass

    active = SimpleNamespace(active_dataloader=None)
    module = SimpleNamespace(
        GradientState=lambda: active, DataLoaderDispatcher=Dispatcher, IterableDatasetShard=Part
    )
    monkeypatch.setitem(sys.modules, "accelerate.data_loader", module)
    one, alone = made(rank=0, world=2), made(rank=0, world=1)
    for loader in (Dispatcher(one), SimpleNamespace(dataset=Part(one))):
        active.active_dataloader = loader
        with pytest.raises(RuntimeError, match=r"must not be given .* 1/2 of the records"):
            one.set_epoch(0)
        made(rank=0, world=2).set_epoch(0)  # a stream that Accelerate does not have
    active.active_dataloader = Dispatcher(alone)
    alone.set_epoch(0)
