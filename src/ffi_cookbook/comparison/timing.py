"""The cost of a call through several bindings, timed in turn in the same process."""

from __future__ import annotations

import random
import timeit
from collections.abc import Mapping
from typing import Any

from ffi_cookbook.comparison.operands import CALLS, find

BEFORE = {"index_records": "a2[:] = 0; "}
"""What makes ready an argument that a call changes."""
ROUNDS = 15
SECONDS = 0.004
"""The length of one sample."""


def nanoseconds(modules: Mapping[str, Any], name: str) -> dict[str, float]:
    """Return the nanoseconds of a call for each module that has the function.

    In every round the modules are timed in a random order; the figure is the least of the rounds,
    since other work of the machine can only lengthen a call.
    """
    draw = random.Random(name)
    arguments = CALLS[name](draw)
    names = [f"a{i}" for i in range(len(arguments))]
    timers, times = {}, {}
    for module, found in modules.items():
        if (function := find(found, name)) is not None:
            space = {"f": function, **dict(zip(names, arguments, strict=True))}
            call = f"f({', '.join(names)})"
            timers[module] = timeit.Timer(f"{BEFORE.get(name, '')}{call}", globals=space)
            times[module] = _repeats(timers[module])
    samples: dict[str, list[float]] = {module: [] for module in timers}
    for _ in range(ROUNDS):
        for module in draw.sample(list(timers), len(timers)):
            samples[module].append(timers[module].timeit(times[module]) / times[module])
    return {module: min(found) * 1e9 for module, found in samples.items()}


def _repeats(timer: timeit.Timer) -> int:
    times = 1
    while timer.timeit(times) < SECONDS and times < 1 << 20:
        times *= 2
    return times
