"""What is made of samples: loops, medians, intervals, the noise floor."""

from __future__ import annotations

import math
import random
from importlib import import_module
from typing import Any

import numpy as np
import pytest


def test_a_loop_runs_whole_rows_of_its_statement(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = import_module("clock")
    monkeypatch.setattr(clock, "SHORT", math.inf)
    monkeypatch.setattr(clock, "LONG", 0.0)
    seen: list[int] = []
    times = clock.interleaved(
        {"append": clock.Timed("f(x)", {"f": seen.append, "x": 7})}, 3, 1e-4, random.Random()
    )
    assert len(times["append"]) == 3
    assert min(times["append"]) > 0
    assert set(seen) == {7}
    assert len(seen) % clock.UNROLLED == 2  # two before the row: how long is it?


def test_a_cell_is_the_median_over_processes() -> None:
    cell = import_module("results").Cell()
    for rounds in ([8.0, 99.0, 8.0], [2.0, 2.0, 50.0], [4.0, 4.0, 4.0]):
        cell.add({"seconds": rounds, "beside": [1.0, 1.0, 1.0], "work": 6.0})
    assert cell.median == 3.0
    assert cell.gross.value == 4.0
    assert cell.rate == 2.0
    assert cell.stats().max == 7.0


def processes(center: float, between: float, within: float, seed: int) -> list[list[float]]:
    """Samples of 12 processes of 9 rounds, normal at both levels."""
    draw = np.random.default_rng(seed)
    means = draw.normal(center, between, (12, 1))
    return (means + draw.normal(0, within, (12, 9))).tolist()  # type: ignore[no-any-return]


def test_the_interval_covers_what_it_says() -> None:
    estimate = import_module("bootstrap").estimate
    covered = 0
    for seed in range(100):
        found = estimate(processes(10.0, 1.0, 0.3, seed))
        assert found.low <= found.value <= found.high
        covered += found.low <= 10.0 <= found.high
    assert covered >= 85


def test_the_interval_is_that_of_the_processes_not_of_the_rounds() -> None:
    estimate = import_module("bootstrap").estimate
    assert estimate([[1.0] * 50, [2.0] * 50, [3.0] * 50]) == (2.0, 1.0, 3.0)


def test_what_two_arms_share_cancels() -> None:
    estimate = import_module("bootstrap").estimate
    luck = processes(100.0, 20.0, 5.0, 1)
    slower = [[one + 2.0 for one in rounds] for rounds in luck]
    assert estimate(slower, luck) == pytest.approx((2.0, 2.0, 2.0))


def test_a_disturbed_round_does_not_count() -> None:
    quiet = import_module("bootstrap").quiet
    assert quiet([[3.0, 900.0, 3.0, 3.0, 700.0]], [[1.0, 1.0, 50.0, 1.0, 1.0]]) == [2.0]


def test_the_noise_floor_is_what_the_control_shows(results: Any) -> None:
    assert results.floor == (0.0, 0.0)
    for cells in results.cells.values():
        if "capi again" in cells:
            again = cells["capi again"]
            again.seconds = [[one + 5e-10 for one in rounds] for rounds in again.seconds]
    del results.floor
    seconds, fraction = results.floor
    assert seconds == pytest.approx(5e-10)
    assert fraction == pytest.approx(5e-10 / results.cells["probe noop"]["capi"].gross.value)


def test_alike_is_what_lies_within_the_floor(results: Any) -> None:
    group = "probe noop"
    cells = results.cells[group]

    def shifted(by: float) -> bool:
        moved = [[one + by for one in rounds] for rounds in cells["capi"].seconds]
        cells["cffi"].seconds = moved
        return results.alike(group, "cffi", "capi")  # type: ignore[no-any-return]

    results.__dict__["floor"] = (4e-10, 0.0)
    assert shifted(3e-10)
    assert not shifted(6e-10)
    assert not shifted(-6e-10)
