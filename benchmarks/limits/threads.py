"""How much a second thread adds, and how much it could add.

The control is two products at once, each on a thread of its own.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from threading import Barrier, Thread
from time import perf_counter
from typing import Any

import numpy as np
from rates import TYPES, operands

from limits.pages import AT_ONCE, C

LASTS = 0.03
SIZES = (256, 512, 1000, 2048)


def measured(
    backends: Mapping[str, Any], rounds: int
) -> dict[str, dict[str, dict[str, list[float]]]]:
    """By type, size and contender, the rate of two threads divided by that of one."""
    found: dict[str, dict[str, dict[str, list[float]]]] = {}
    for dtype in TYPES:
        for n in SIZES:
            a, b, out = operands(n, dtype)
            outs = out, np.empty_like(out)
            ratios: dict[str, list[float]] = {name: [] for name in (*backends, AT_ONCE)}
            for _ in range(rounds):
                for name in random.sample(list(ratios), len(ratios)):
                    matmul = backends.get(name, backends[C])
                    one = _alone(matmul, a, b, out)
                    if name == AT_ONCE:
                        two = _at_once(matmul, a, b, outs)
                    else:
                        two = _alone(matmul, a, b, out, 2)
                    ratios[name].append(two / one)
            found.setdefault(dtype, {})[str(n)] = ratios
    return found


def _alone(matmul: Callable[..., Any], a: Any, b: Any, out: Any, threads: int = 1) -> float:
    """Products a second."""
    matmul(a, b, out=out, threads=threads)
    done, start = 0, perf_counter()
    while perf_counter() - start < LASTS:
        matmul(a, b, out=out, threads=threads)
        done += 1
    return done / (perf_counter() - start)


def _at_once(matmul: Callable[..., Any], a: Any, b: Any, outs: tuple[Any, Any]) -> float:
    """Products a second of two threads that share nothing but a and b, while both are at it."""
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
