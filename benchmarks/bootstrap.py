"""How sure a figure is. The process is the replicate: rounds within one share its memory layout,
its address space and its luck, so that an interval over rounds would be too narrow.

Every estimate is the median over processes of the median over a process's rounds; its interval is
that of the hierarchical bootstrap, which draws processes with replacement, and from each of them
its rounds (A. C. Davison, D. V. Hinkley, "Bootstrap Methods and their Application", 1997, 3.8).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

DRAWS = 1000
COVERAGE = 0.95
Rounds = list[list[float]]
"""Processes × rounds."""


class Estimate(NamedTuple):
    """A median and the interval that holds 95 % of the bootstrap's."""

    value: float
    low: float
    high: float


def estimate(samples: Rounds) -> Estimate:
    """Of one contestant."""
    array = np.array(samples)
    low, high = np.quantile(_draws(array), _TAILS)
    return Estimate(_center(array), float(low), float(high))


def difference(one: Rounds, other: Rounds) -> Estimate:
    """Of one above another that was measured beside it: paired, round by round."""
    return estimate((np.array(one) - np.array(other)).tolist())


def change(now: Rounds, then: Rounds) -> Estimate:
    """Of a contestant between two runs, as a fraction of what it was. Nothing is paired, and many
    cells are looked at together: the interval holds every one of the draws."""
    new, old = np.array(now), np.array(then)
    center = _center(old)
    drawn = (_draws(new) - _draws(old, seed=1)) / center
    return Estimate((_center(new) - center) / center, float(drawn.min()), float(drawn.max()))


_TAILS = ((1 - COVERAGE) / 2, (1 + COVERAGE) / 2)


def _center(array: npt.NDArray[np.float64]) -> float:
    return float(np.median(np.median(array, axis=1)))


def _draws(array: npt.NDArray[np.float64], seed: int = 0) -> npt.NDArray[np.float64]:
    """One row of medians, by a generator with a seed: the same samples give the same interval."""
    random = np.random.default_rng(seed)
    processes, rounds = array.shape
    chosen = random.integers(processes, size=(DRAWS, processes))[..., None]
    within = random.integers(rounds, size=(DRAWS, processes, rounds))
    return np.median(np.median(array[chosen, within], axis=2), axis=1)
