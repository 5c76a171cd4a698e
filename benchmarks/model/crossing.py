"""From which size on a door costs less than 5 % or 1 % of a call, measured and predicted.

Measured: the share of a call's time that the kernel alone does not take, made to fall with size,
and interpolated. Predicted: what the smallest call takes above the kernel alone is taken at every
size, so that it is 5 % where the kernel alone takes 19 times as long; a door that copies what it
hands over takes more for every record or byte, which the largest calls tell.

cython and pyo3 have kernels of their own, which cannot be run alone. Their work is what a call
takes above the empty one, so that a prediction has nothing left to be wrong about: there is none.
"""

from __future__ import annotations

from math import exp, log
from typing import Any

import numpy as np
import numpy.typing as npt
from bootstrap import _TAILS, DRAWS, quiet
from results import Results
from scipy.optimize import isotonic_regression

from model.even import ALONE, KERNELS, NATIVE

LEVELS = {"5%": 0.05, "1%": 0.01}
OWN_KERNELS = ("cython", "pyo3")
LINEAR = ("decode", "encode")
LARGEST = 3  # sizes
Floats = npt.NDArray[np.float64]


def break_even(results: Results) -> dict[str, Any]:
    """By kernel and door: the times by size, and the sizes of both levels. A size is None where the
    door still costs more at the largest one."""
    return {
        kernel: {
            door: _door(results, kernel, sizes, door)
            for door in NATIVE
            if results.cell(f"even {kernel} {max(sizes)}", door) is not None
        }
        for kernel, (sizes, _) in KERNELS.items()
        if f"even {kernel} {max(sizes)}" in results.cells
    }


def _door(results: Results, kernel: str, sizes: tuple[int, ...], door: str) -> dict[str, Any]:
    times, alone = (_worth(results, kernel, sizes, name) for name in (door, ALONE))
    overhead = times[1] - alone[1]
    if door in OWN_KERNELS:
        overhead = times[0]
        alone = times - overhead
    shares = (times - alone) / times
    cost, work = np.median(overhead), np.median(alone, axis=1)
    own = np.full(len(sizes), cost)
    if kernel in LINEAR:
        more = (times - alone - overhead)[-LARGEST:] / np.array(sizes[-LARGEST:])[:, None]
        own += max(0.0, np.median(more)) * np.array(sizes)
    return {
        "sizes": list(sizes),
        "door_s": np.median(times, axis=1).tolist(),
        "alone_s": work.tolist(),
        "overhead_s": float(cost),
        "measured": {name: _measured(sizes, shares, level) for name, level in LEVELS.items()},
        "predicted": {
            name: None if door in OWN_KERNELS else _where(sizes, own / (own + work), level)
            for name, level in LEVELS.items()
        },
    }


def _worth(results: Results, kernel: str, sizes: tuple[int, ...], name: str) -> Floats:
    """Seconds of a call: sizes × processes."""
    cells = (results.cells[f"even {kernel} {n}"][name] for n in sizes)
    return np.array([quiet(cell.seconds, cell.beside) for cell in cells])


def _measured(sizes: tuple[int, ...], shares: Floats, level: float) -> list[float | None]:
    """The size, and the interval of the bootstrap over processes."""
    processes = shares.shape[1]
    chosen = np.random.default_rng(0).integers(processes, size=(DRAWS, processes))
    drawn = [_where(sizes, np.median(shares[:, some], axis=1), level) for some in chosen]
    tails = np.quantile([one or np.inf for one in drawn], _TAILS, method="nearest")
    found = _where(sizes, np.median(shares, axis=1), level)
    return [found, *(float(one) if np.isfinite(one) else None for one in tails)]


def _where(sizes: tuple[int, ...], shares: Floats, level: float) -> float | None:
    """Where shares that fall with size cross a level: straight between two of them in logarithms,
    at size 1 where they are below it from there on."""
    sizes, shares = sizes[1:], shares[1:]
    falling = isotonic_regression(shares, increasing=False).x
    above = int((falling >= level).sum())
    if above == len(sizes):
        return None
    if above == 0:
        return 1.0
    high, low = log(falling[above - 1]), log(max(falling[above], level / 4))
    part = (high - log(level)) / (high - low)
    return exp((1 - part) * log(sizes[above - 1]) + part * log(sizes[above]))
