"""Products large enough to be limited by the multipliers, ours beside those of other libraries."""

from __future__ import annotations

import platform
import random
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
from rates import TYPES, Multiply, Rate, operands, product, rate

from limits.checked import checker
from limits.core_types import CORE_TYPES, OpenBlas
from limits.pages import AGAIN, C

SIZES = {1000: 9, 1024: 9, 2048: 5, 3000: 3, 4096: 3}
"""Size to rounds: the last take seconds for each contender."""
BEST = "NumPy †"
Found = dict[str, dict[str, dict[str, list[Rate]]]]
"""By type, size and contender."""


class Wrong(Exception):
    """Who gave which wrong product, a line for each."""


def measured(
    sizes: Mapping[int, int],
    libraries: Mapping[str, Multiply],
    of_core: Callable[[str], float],
    folder: Path,
) -> tuple[Found, dict[str, str]]:
    """Also by type the core type with which NumPy is fastest. Wrong: no comparison with that."""
    processes = {name: OpenBlas(name) for name in CORE_TYPES.get(platform.machine(), ())}
    try:
        best = {dtype: _fastest(processes, dtype) for dtype in TYPES if processes}
        for name in processes.keys() - best.values():
            processes.pop(name).end()
        compared = {dtype: processes[name] for dtype, name in best.items()}
        return _compared(sizes, libraries, compared, of_core, folder), best
    finally:
        for process in processes.values():
            process.end()


def _fastest(processes: Mapping[str, OpenBlas], dtype: str) -> str:
    found = {name: max(one.rate(1024, dtype) for _ in "123") for name, one in processes.items()}
    return max(found, key=lambda name: found[name])


def _compared(
    sizes: Mapping[int, int],
    libraries: Mapping[str, Multiply],
    best: Mapping[str, OpenBlas],
    of_core: Callable[[str], float],
    folder: Path,
) -> Found:
    """Ours twice, which shows what such figures say. Products of the first round are checked."""
    found: Found = {}
    wrong = []
    for dtype in TYPES:
        for n, rounds in sizes.items():
            a, b, out = operands(n, dtype)
            right = checker(a, b)
            works = {name: product(multiply, a, b, out) for name, multiply in libraries.items()}
            works[AGAIN] = works[C]
            names = [*works, BEST] if dtype in best else [*works]
            samples: dict[str, list[Rate]] = {name: [] for name in names}
            for turn in range(rounds):
                for name in random.sample(names, len(names)):
                    if turn == 0:
                        out[:] = np.nan
                    most = of_core(dtype)
                    known = rate(works[name]) if name in works else best[dtype].rate(n, dtype)
                    samples[name].append((known, most))
                    if turn == 0:
                        got = out if name in works else best[dtype].save(n, dtype, folder / "r.npy")
                        wrong += [] if right(got) else [f"wrong: {name}, N = {n}, {dtype}"]
            found.setdefault(dtype, {})[str(n)] = samples
    if wrong:
        raise Wrong("\n".join(wrong))
    return found
