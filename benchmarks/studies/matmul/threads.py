"""The gain of a second thread, and the largest possible gain.

The control is two products at once, each on a thread of its own.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from statistics import median
from threading import Barrier, Thread
from time import perf_counter
from typing import Any

import numpy as np

from benchmarks.core import machine
from benchmarks.core.figures import interval, table
from benchmarks.studies.matmul.rates import LABELS, TYPES, C, operands, rows
from benchmarks.study import Result, Setting

LASTS = 0.03
SIZES = (256, 512, 1000, 2048)
AT_ONCE = "two products at once"
BARS = {"256": 1.6}
BAR = 1.95  # for all larger ones


def measure(setting: Setting) -> Result:
    """Return the rate of two threads divided by one's, by type, size and contender.

    The result is None on a single core.
    """
    if machine.cores() < 2:
        return None
    functions = {LABELS[name]: backend.matmul for name, backend in setting.backends.items()}
    found: dict[str, dict[str, dict[str, list[float]]]] = {}
    for dtype in TYPES:
        for n in SIZES:
            a, b, out = operands(n, dtype)
            outs = out, np.empty_like(out)
            ratios: dict[str, list[float]] = {name: [] for name in (*functions, AT_ONCE)}
            for _ in range(setting.rounds):
                for name in random.sample(list(ratios), len(ratios)):
                    matmul = functions.get(name, functions[C])
                    one = _alone(matmul, a, b, out)
                    if name == AT_ONCE:
                        two = _at_once(matmul, a, b, outs)
                    else:
                        two = _alone(matmul, a, b, out, 2)
                    ratios[name].append(two / one)
            found.setdefault(dtype, {})[str(n)] = ratios
    return found


def _alone(matmul: Callable[..., Any], a: Any, b: Any, out: Any, threads: int = 1) -> float:
    """Return the products per second."""
    matmul(a, b, out=out, threads=threads)
    done, start = 0, perf_counter()
    while perf_counter() - start < LASTS:
        matmul(a, b, out=out, threads=threads)
        done += 1
    return done / (perf_counter() - start)


def _at_once(matmul: Callable[..., Any], a: Any, b: Any, outs: tuple[Any, Any]) -> float:
    """Return the products per second of two threads that share only a and b, while both run."""
    ready, rates = Barrier(2), [0.0, 0.0]

    def work(index: int) -> None:
        ready.wait()
        rates[index] = _alone(matmul, a, b, outs[index])

    threads = [Thread(target=work, args=(index,)) for index in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(rates)


def show(found: Result, _: list[str]) -> str:
    """Return two threads as a multiple of one."""
    names = list(next(iter(next(iter(found.values())).values())))
    lines, met = [], 0
    for dtype, n, ratios in rows(found):
        lines.append([f"{dtype} {n}", *(interval(ratios[name], " ×") for name in names)])
        met += median(ratios[C]) >= BARS.get(n, BAR)
    return (
        f"{table(['', *names], lines)}\n\n"
        f"Goal: {BAR} ×, at 256 {BARS['256']} ×: C meets it in {met} of {len(lines)} rows. The "
        f"last column shows what the machine allows: {AT_ONCE}, each on a thread of its own, "
        "sharing no work."
    )
