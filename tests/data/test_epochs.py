"""Which epoch a pass gives, the length of an epoch, and what a state at its end means."""

from __future__ import annotations

import copy
import itertools
import json
import pickle
from collections.abc import Callable
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


def test_a_copy_has_the_epoch_and_keeps_its_own(made: Any, epochs: list[list[int]]) -> None:
    one = made()
    list(one)
    for other in (copy.copy(one), copy.deepcopy(one), pickle.loads(pickle.dumps(one))):
        assert flat(numbers(other)) == epochs[1]
        other.set_epoch(3)
    assert flat(numbers(one)) == epochs[1]


def test_set_epoch_wins_over_a_pass_that_goes_on_and_a_state(
    made: Any, epochs: list[list[int]]
) -> None:
    one = made()
    state = next(iter(one)).state
    for epoch in (0, 2):
        batches = iter(one)
        next(batches)
        one.set_epoch(epoch)
        list(batches)
        assert flat(numbers(one)) == epochs[epoch]
        one.load_state_dict(state)
        one.set_epoch(3)
        assert flat(numbers(one)) == epochs[3]


def test_the_length_is_that_of_the_whole_epoch(made: Any) -> None:
    for options, expected in (
        ({}, 4),
        ({"drop_last": True}, 3),
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
            inner.close()
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


@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded")
def test_workers_that_make_more_batches_than_the_length_say_so(made: Any) -> None:
    """The warning is an error in a forked worker too, and comes out of it."""
    torch = needs("torch")
    workers: Any = {"num_workers": 2, "multiprocessing_context": "fork", "collate_fn": keep}
    loader = torch.utils.data.DataLoader(made(batch_size=3), batch_size=None, **workers)
    assert sorted(flat(numbers(loader))) == list(range(51))
    assert len(loader) == 17
    with pytest.raises(UserWarning, match=r"2 workers make 18 batches .* leaves out the last 1"):
        list(loader)
    fewer = made(batch_size=17, drop_last=True)
    few = torch.utils.data.DataLoader(fewer, batch_size=None, **workers)
    assert len(few) == 3
    with pytest.raises(UserWarning, match=r"2 workers make 2 batches .* not see the end of an"):
        list(few)


def test_workers_that_go_on_refuse_a_state(made: Any, epochs: list[list[int]]) -> None:
    """They are older than it: they would begin the epoch at its beginning."""
    torch = needs("torch")
    one = made(batch_size=3)
    options: Any = {"batch_size": None, "num_workers": 1, "collate_fn": keep}
    loader = torch.utils.data.DataLoader(one, persistent_workers=True, **options)
    state = list(loader)[3].state
    one.load_state_dict(state)
    assert flat(numbers(torch.utils.data.DataLoader(one, **options))) == epochs[0][12:]
    for epoch in (1, 2):
        assert flat(numbers(loader)) == epochs[epoch]
        one.load_state_dict(state)
        one.set_epoch(epoch + 1)
    one.load_state_dict(state)
    with pytest.raises(RuntimeError, match="load_state_dict must be called before the workers"):
        list(loader)
    assert flat(numbers(one)) == epochs[0][12:]


@pytest.mark.parametrize("persistent", [False, True])
def test_only_workers_know_where_they_are(made: Any, persistent: bool) -> None:
    """The main process gives no state that begins their epoch again, or leaves out its end."""
    torch = needs("torch")
    one = made(batch_size=2)
    next(iter(one))  # a pass of the main process, which is over
    loader = torch.utils.data.DataLoader(
        one, batch_size=None, num_workers=2, persistent_workers=persistent, collate_fn=keep
    )
    for _ in range(2):
        batches = iter(loader)
        next(batches)
        with pytest.raises(RuntimeError, match=r"workers of the DataLoader .* StatefulDataLoader"):
            one.state_dict()
        one.set_epoch(0)
        assert (one.state_dict()["epoch"], one.state_dict()["taken"]) == (0, 0)
        del batches
    list(loader)
    with pytest.warns(UserWarning, match=r"epoch 0 to its end, .* after it, call set_epoch\(1\)"):
        assert (one.state_dict()["epoch"], one.state_dict()["taken"]) == (1, 0)
    one.set_epoch(1)
    assert (one.state_dict()["epoch"], one.state_dict()["taken"]) == (1, 0)
    assert next(iter(one)).state == one.state_dict()


def test_a_pass_that_repeats_what_one_before_broke_off_says_so(made: Any) -> None:
    """As Lightning's limit_train_batches does; not after a look at one batch, or set_epoch."""
    one = made()
    next(iter(one))
    list(itertools.islice(one, 2))
    with pytest.warns(UserWarning, match="broke off epoch 0, and this one has its order again"):
        list(itertools.islice(one, 2))
    one.set_epoch(0)
    list(one)
