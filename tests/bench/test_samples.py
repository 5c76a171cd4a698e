"""How samples become figures: loops, medians, confidence intervals and the noise floor."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import ffi_cookbook
from benchmarks.core import bootstrap, clock
from benchmarks.ledger import calls
from benchmarks.ledger import results as results_module
from benchmarks.ledger import rows as rows_module
from benchmarks.report import terminal


def test_a_cell_is_a_low_quantile_of_all_rounds() -> None:
    cell = results_module.Cell()
    for rounds in ([8.0, 99.0, 8.0], [2.0, 2.0, 50.0], [4.0, 4.0, 4.0]):
        cell.add({"seconds": rounds, "beside": [1.0, 1.0, 1.0], "work": 6.0})
    assert cell.gross.value == pytest.approx(2.0)  # a tenth of 2, 2, 4, 4, 4, 8, 8, 50, 99
    assert cell.value == pytest.approx(1.0)
    assert cell.rate == pytest.approx(6.0)
    cell.add({"seconds": [1.5, 1.5, 1.5], "beside": [1.0, 1.0, 1.0], "work": 6.0})
    assert cell.gross.value == pytest.approx(1.5)


def processes(center: float, seed: int, number: int = 6) -> list[list[float]]:
    """Return rounds of a machine with two speeds: each is at its best, or 1.6 times slower."""
    draw = np.random.default_rng(seed)
    means = center * (1 + abs(draw.normal(0, 0.01, (number, 1))))
    speed = draw.choice([1.0, 1.6], p=[0.6, 0.4], size=(number, 7))
    return (means * speed * (1 + abs(draw.normal(0, 0.01, (number, 7))))).tolist()  # type: ignore[no-any-return]


def test_the_interval_holds_what_the_machine_takes_at_its_best() -> None:
    estimate = bootstrap.estimate
    expected = estimate(processes(10.0, 1, number=20_000)[:2000]).value
    covered = 0
    for seed in range(100):
        found = estimate(processes(10.0, seed))
        assert found.low <= found.value <= found.high
        assert found.value == pytest.approx(10.1, abs=0.2)  # never between the two speeds
        covered += found.low <= expected <= found.high
    assert covered >= 80


def test_the_interval_is_that_of_the_processes_not_of_the_rounds() -> None:
    estimate = bootstrap.estimate
    found = estimate([[1.0] * 50, [2.0] * 50, [3.0] * 50])
    assert (found.value, found.low, found.high) == (1.0, 1.0, 3.0)


def test_the_rounds_of_a_group_are_spread_over_the_process() -> None:
    seen: list[str] = []

    class Loop(clock.Loop):
        def __init__(self, timed: clock.Timed, slice_s: float) -> None:
            self.group = timed.statement

        def seconds(self) -> float:
            seen.append(self.group)
            return 1.0

    groups = {name: dict.fromkeys("xy", clock.Timed(name, {})) for name in "abcd"}
    found = clock.spread(groups, 5, 1e-4, random.Random(1), Loop)
    assert [len(found[name]["x"]) for name in groups] == [5] * 4
    assert seen[::2] == seen[1::2]  # the contenders of a group follow one another
    order = seen[::2]
    rounds = [order[at : at + 4] for at in range(0, 20, 4)]
    assert all(sorted(one) == [*"abcd"] for one in rounds)  # each group once in each round
    assert len(set(map(tuple, rounds))) > 1  # in another order


def test_the_speeds_of_the_machine_are_reported(results: Any) -> None:
    assert results.slow == (0.0, 1.0)
    del results.slow
    results.cells.clear()
    for row, speed in (("noop", 1.0), ("add_int", 3.0)):  # beside empty functions of their arity
        beside = [speed] * 6 + [2 * speed] * 4
        results.add(f"pattern {row}", {"capi": {"seconds": [9.0] * 10, "beside": beside}})
    assert results.slow == (pytest.approx(0.4), pytest.approx(2.0))
    assert "for 40% of the time it was 2.0 times slower" in " ".join(terminal.warnings(results))


def test_the_noise_floor_is_what_the_control_shows(results: Any) -> None:
    assert results.floor == (0.0, 0.0)
    for cells in results.cells.values():
        if "capi again" in cells:
            again = cells["capi again"]
            again.seconds = [[one + 5e-10 for one in rounds] for rounds in again.seconds]
    del results.floor
    seconds, fraction = results.floor
    assert seconds == pytest.approx(5e-10)
    assert fraction == pytest.approx(5e-10 / results.cells["pattern noop"]["capi"].gross.value)


def test_torch_is_compared_with_the_c_api_of_its_own_processes(results: Any) -> None:
    cells = results.cells["pattern noop"]
    for name in ("torch", "capi" + calls.BRIDGE):
        cells[name] = results_module.Cell([[9e-9] * 3] * 3, apart=True)
    assert results.times_floor("torch", ["noop"]) == pytest.approx(1.0)
    del cells["capi" + calls.BRIDGE]
    assert results.times_floor("torch", ["noop"]) is None


class Unshuffled(random.Random):
    def sample(self, population: Any, k: int, **rest: Any) -> Any:  # type: ignore[override]
        return list(population)[:k]


def test_rounds_in_one_order_are_refused() -> None:
    timed = {name: clock.Timed("f()", {"f": dict}) for name in "abc"}
    clock.spread({"": timed}, 12, 1e-5, random.Random(1))
    with pytest.raises(RuntimeError, match="the order of 3 contenders or rows was the same"):
        clock.spread({"": timed}, 12, 1e-5, Unshuffled())
    binding: Any = ffi_cookbook.load("python")
    with pytest.raises(RuntimeError, match="the order of 5 contenders or rows was the same"):
        list(calls.measure({"python": binding}, [*rows_module.ALL][:5], 3, 1e-6, Unshuffled()))
