"""The scaling of a binding: the rate of threads on all cores as a multiple of one thread's.

Each thread does the same long work through the binding. `decode` are Examples, `matmul` is a
product of 512×512 float32 matrices, `work` the pattern `interruptible`, which returns to Python
every 65536 rounds, and `noop_nogil` the other extreme: threads that release the GIL and acquire it
again, with nothing in between. One thread and all are timed in turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from benchmarks import REFERENCES
from benchmarks.core import machine
from benchmarks.core.bootstrap import Estimate, estimate
from benchmarks.core.process import ask

SLICE_S = 0.005


class Samples(NamedTuple):
    """The number of processes, and of rounds in each."""

    processes: int
    rounds: int


def measure(backends: Sequence[str], folder: str, samples: Samples) -> dict[str, Any]:
    """Return the seconds of `one` and `all` threads, by binding, work, process and round.

    The result is empty on one core. Bindings that compute in Python hold the GIL and are left out.
    """
    native = [backend for backend in backends if backend not in REFERENCES]
    if machine.cores() == 1 or not native:
        return {}
    crews = {**dict.fromkeys(("decode", "matmul", "work"), machine.cores()), "noop_nogil": 2}
    found: dict[str, Any] = {
        backend: {work: {"threads": crew, "one": [], "all": []} for work, crew in crews.items()}
        for backend in native
    }
    for _ in range(samples.processes):
        answer = ask("ledger.beyond.together", [native, folder, crews, samples.rounds, SLICE_S])
        for backend, works in answer.items():
            for work, times in works.items():
                for name, rounds in times.items():
                    found[backend][work][name].append(rounds)
    return found


def speedup(work: dict[str, Any]) -> Estimate:
    """Return the rate of all threads divided by that of one, from the results of `measure`."""
    found = estimate(work["one"], work["all"], np.divide)
    return Estimate(*(work["threads"] * ratio for ratio in found))
