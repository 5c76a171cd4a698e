"""The break-even size, from which on a binding costs less than 5 % or 1 % of a call.

Measured: the share of a call's time above the kernel alone, made to fall with size, and
interpolated. Predicted: the time of a small call above the kernel alone is assumed for every size,
so that it is 5 % where the kernel alone takes 19 times as long; a binding that copies its operands,
or allocates memory for them, pays for every byte, which the largest calls show. The small call
works for about a microsecond: only a call without work would find all its data in the nearest
cache.

The kernels of cython and pyo3 cannot be run alone. Their work is the time of a call above the empty
one; it is predicted from the largest calls, by the growth of work with size.
"""

from __future__ import annotations

from math import exp, log
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.optimize import isotonic_regression

from benchmarks.core.bootstrap import _TAILS, DRAWS, quiet
from benchmarks.ledger.calls import APART, BRIDGE
from benchmarks.ledger.model import LEVELS
from benchmarks.ledger.model.even import ALONE, KERNELS
from benchmarks.ledger.results import Results

SHARED = "C"
"""The kernels that can be run alone."""
WORK = {"matmul": 3, "decode": 1, "encode": 1}
BYTES = {"matmul": 2, "decode": 1, "encode": 1}
"""The powers of the size that work grows with, and what is handed over."""
SMALL = {"matmul": 32, "decode": 8, "encode": 256}
LARGEST = 3  # sizes
Floats = npt.NDArray[np.float64]


def break_even(results: Results) -> dict[str, Any]:
    """Return the times by size and the break-even sizes of both levels, by kernel and binding.

    A size is None if the binding still costs more at the largest one.
    """
    return {
        kernel: {
            backend: _backend(results, kernel, sizes, backend)
            for backend in results.open_backends
            if results.cell(f"even {kernel} {max(sizes)}", backend) is not None
        }
        for kernel, (sizes, _) in KERNELS.items()
        if f"even {kernel} {max(sizes)}" in results.cells
    }


def _backend(results: Results, kernel: str, sizes: tuple[int, ...], backend: str) -> dict[str, Any]:
    beside = ALONE + BRIDGE if backend == APART else ALONE
    times, alone = (_worth(results, kernel, sizes, name) for name in (backend, beside))
    overhead = (times - alone)[sizes.index(SMALL[kernel])]
    own_kernels = results.backends[backend]["about"]["kernel"] != SHARED
    if own_kernels:
        overhead = times[0]
        alone = times - overhead
    shares = (times - alone) / times
    cost, work = np.median(overhead), np.median(alone, axis=1)
    own, units = np.full(len(sizes), cost), np.array(sizes, float)
    if own_kernels:
        work = _scaled(work, units ** WORK[kernel])
    else:
        more = np.median(times - alone - overhead, axis=1)
        own += np.maximum(0.0, _scaled(more, units ** BYTES[kernel]))
    return {
        "sizes": list(sizes),
        "backend_s": np.median(times, axis=1).tolist(),
        "alone_s": np.median(alone, axis=1).tolist(),
        "overhead_s": float(cost),
        "measured": {name: _measured(sizes, shares, level) for name, level in LEVELS.items()},
        "predicted": {
            name: _where(sizes, own / (own + work), level) for name, level in LEVELS.items()
        },
    }


def _scaled(largest: Floats, units: Floats) -> Floats:
    """Scale the time per unit of the largest sizes to every size."""
    scaled: Floats = units * np.median(largest[-LARGEST:] / units[-LARGEST:])
    return scaled


def _worth(results: Results, kernel: str, sizes: tuple[int, ...], name: str) -> Floats:
    """Return the seconds of a call: sizes × processes."""
    cells = (results.cells[f"even {kernel} {n}"][name] for n in sizes)
    return np.array([quiet(cell.seconds, cell.beside) for cell in cells])


def _measured(sizes: tuple[int, ...], shares: Floats, level: float) -> list[float | None]:
    """Return the size, and its interval by the bootstrap over processes."""
    processes = shares.shape[1]
    chosen = np.random.default_rng(0).integers(processes, size=(DRAWS, processes))
    drawn = [_where(sizes, np.median(shares[:, some], axis=1), level) for some in chosen]
    tails = np.quantile([one or np.inf for one in drawn], _TAILS, method="nearest")
    found = _where(sizes, np.median(shares, axis=1), level)
    return [found, *(float(one) if np.isfinite(one) else None for one in tails)]


def _where(sizes: tuple[int, ...], shares: Floats, level: float) -> float | None:
    """Return the size at which shares that fall with size cross a level.

    It is interpolated between two sizes in logarithms, and is 1 if all shares are below the level.
    """
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
