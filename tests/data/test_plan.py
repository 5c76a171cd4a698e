"""The order of an epoch: a permutation, dealt out fairly, and exact wherever it is resumed."""

from __future__ import annotations

import json
import random
from typing import Any

import numpy as np
import pytest

from ffi_cookbook.data import EpochPlan
from ffi_cookbook.data.order.permutation import Permutation
from ffi_cookbook.data.order.progressions import Progressions

LAYOUTS = [(1, 1), (1, 2), (2, 1), (2, 2), (3, 1), (3, 2), (8, 2)]  # ranks, workers


def plans(n: int, layout: tuple[int, int], **options: Any) -> list[EpochPlan]:
    """Return the plan of every share."""
    world, workers = layout
    return [
        EpochPlan(n, rank=rank, world=world, worker=worker, workers=workers, **options)
        for worker in range(workers)
        for rank in range(world)
    ]


@pytest.mark.parametrize("n", [0, 1, 2, 3, 4, 7, 63, 64, 65, 1000, 65_537])
def test_a_permutation_hits_every_number_once(n: int) -> None:
    found = Permutation(n, 5, 1)(np.arange(n))
    assert (np.sort(found) == np.arange(n)).all()


@pytest.mark.parametrize("n", [2**31 + 11, 10**9, 10**15 + 7, 2**62 - 2**32])
def test_a_large_permutation_is_one_to_one_and_stays_below_n(n: int) -> None:
    places = np.concatenate([np.arange(5000), np.arange(n - 5000, n)])
    found = Permutation(n, 0)(places)
    assert 0 <= found.min() <= found.max() < n
    assert len(np.unique(found)) == len(places)
    assert abs(found.mean() / n - 0.5) < 0.02


def test_a_permutation_too_large_is_refused() -> None:
    with pytest.raises(ValueError, match="n must be between 0 and"):
        Permutation(2**62, 0)


def test_every_record_is_as_likely_as_another_at_every_place() -> None:
    """Chi-squared over 1500 epochs of 6 records: 60, of 25 degrees of freedom, is one in 10,000."""
    counts = np.zeros((6, 6))
    for epoch in range(1500):
        counts[np.arange(6), Permutation(6, 7, epoch)(np.arange(6))] += 1
    assert ((counts - 250) ** 2 / 250).sum() < 60


def test_the_order_is_that_of_seed_and_epoch() -> None:
    orders = {
        tuple(EpochPlan(100, seed=seed, epoch=epoch).draw(100))
        for seed in range(5)
        for epoch in range(5)
    }
    assert len(orders) == 25
    assert EpochPlan(100, seed=1, epoch=2).draw(8).tolist() == [26, 9, 12, 14, 60, 78, 50, 25]
    assert EpochPlan(5, shuffle=False).draw(9).tolist() == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("n", [0, 11, 100])
def test_shares_differ_by_one_record_at_most(n: int, layout: tuple[int, int]) -> None:
    shares = [plan.draw(n) for plan in plans(n, layout, seed=3)]
    assert sorted(np.concatenate(shares)) == list(range(n))
    sizes = [len(share) for share in shares]
    assert max(sizes) - min(sizes) <= 1
    ranks = [sum(sizes[rank :: layout[0]]) for rank in range(layout[0])]
    assert max(ranks) - min(ranks) <= 1


def test_the_size_of_the_draws_changes_nothing() -> None:
    whole = EpochPlan(20_000, seed=1).draw(20_000)
    plan, parts = EpochPlan(20_000, seed=1), []
    rng = random.Random(1)
    while len(plan):
        parts.append(plan.draw(rng.choice([1, 7, 500, 9000])))
    assert (np.concatenate(parts) == whole).all()


@pytest.mark.parametrize("shuffle", [False, True])
@pytest.mark.parametrize("case", range(6))
def test_an_epoch_that_is_interrupted_again_and_again_is_exact(case: int, shuffle: bool) -> None:
    """Each time every share is at a place of its own, and the next run has other shares."""
    rng = random.Random(case)
    n, seen = rng.choice([0, 1, 10, 257, 5000]), [np.empty(0, np.int64)]
    states: list[Any] = []
    for stage in range(4):
        shares = plans(n, rng.choice(LAYOUTS), seed=case, shuffle=shuffle)
        for plan in shares:
            if states:
                plan.load_state_dict(states)
            seen.append(plan.draw(n if stage == 3 else rng.randrange(n // 10 + 2)))
        states = json.loads(json.dumps([plan.state_dict() for plan in shares]))
        assert len(json.dumps(states[0])) < 10_000
    assert sorted(np.concatenate(seen)) == list(range(n))


def test_a_billion_records_take_no_memory() -> None:
    plan = EpochPlan(10**9, seed=1, rank=2, world=3)
    first = plan.draw(100)
    assert len(plan) == 333_333_333 - 100
    assert len(np.unique(first)) == 100
    assert len(json.dumps(plan.state_dict())) < 200


def test_what_cannot_be_resumed_says_why() -> None:
    plan = EpochPlan(10, rank=0, world=2)
    with pytest.raises(ValueError, match="pass the states of all"):
        EpochPlan(10).load_state_dict(plan.state_dict())
    with pytest.raises(ValueError, match="seed was 0, and is 4 here"):
        EpochPlan(10, seed=4).load_state_dict(EpochPlan(10).state_dict())
    with pytest.raises(ValueError, match="those of one run"):
        plan.load_state_dict([plan.state_dict(), EpochPlan(10).state_dict()])
    with pytest.raises(ValueError, match="not be empty"):
        plan.load_state_dict([])
    with pytest.raises(ValueError, match="rank must be between 0 and world - 1, not 2 of 2"):
        EpochPlan(10, rank=2, world=2)


FORGED: list[dict[str, Any]] = [
    *({"taken": n} for n in (-5, 11, "3", 2.5)),
    *({"share": n} for n in (1, -1)),
    *({"shares": n} for n in (0, 10**12, None)),
    *({"places": [one]} for one in ([0, 1], [0, 1, 11], [-1, 1, 5], [5, 0, 5], [9, -1, 5])),
    *({"places": [one]} for one in ([2**62, 1, 1], [0, 2**70, 2], [0, 2**70, 1], [0.0, 1.0, 5.0])),
    *({"places": every} for every in (None, [[0, 1, 10], [0, 1, 10]])),
]


@pytest.mark.parametrize("forged", FORGED, ids=str)
def test_a_state_that_no_share_can_have_is_refused(forged: dict[str, Any]) -> None:
    """With some of them the search for an order would never end, or records come twice."""
    plan = EpochPlan(10)
    with pytest.raises(ValueError, match="states: no share of an epoch of 10 places stands at"):
        plan.load_state_dict({**plan.state_dict(), **forged})
    for name in plan.state_dict():
        state = plan.state_dict()
        del state[name]
        with pytest.raises(ValueError, match=r"^states: "):
            plan.load_state_dict(state)
    with pytest.raises(TypeError, match="states must be what state_dict returned"):
        plan.load_state_dict([plan.state_dict(), None])
    assert plan.draw(99).tolist() == EpochPlan(10).draw(99).tolist()


@pytest.mark.parametrize(
    "places", [[[0, 1, 3], [0, 1, 3]], [[0, 1, 5], [4, 1, 1]], [[1, 2, 4], [0, 3, 4]]], ids=str
)
def test_a_state_with_a_place_twice_is_refused(places: list[list[int]]) -> None:
    state = {**EpochPlan(10).state_dict(), "places": places}
    with pytest.raises(ValueError, match="states: places has a place twice"):
        EpochPlan(10).load_state_dict(state)
    with pytest.raises(ValueError, match="states: places has a place twice"):
        EpochPlan(10, world=2).load_state_dict([state])


@pytest.mark.parametrize("case", range(5))
def test_progressions_are_as_lists(case: int) -> None:
    rng, found = random.Random(case), set[bool]()
    for _ in range(400):
        parts = [(rng.randrange(60), rng.randrange(1, 13), rng.randrange(1, 5)) for _ in range(3)]
        some, terms = (
            Progressions(parts),
            np.concatenate([a + b * np.arange(n) for a, b, n in parts]),
        )
        assert some.at(np.arange(len(some))).tolist() == terms.tolist()
        assert some.repeats() == (len(set(terms.tolist())) < len(terms))
        found.add(some.repeats())
        first, end, step = rng.randrange(9), rng.randrange(len(terms) + 1), rng.randrange(1, 7)
        every = some.every(first, end, step)
        assert every.at(np.arange(len(every))).tolist() == terms[first:end:step].tolist()
    assert found == {False, True}
