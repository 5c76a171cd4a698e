"""The scaling of a binding: the rate of threads on all cores as a multiple of one thread's.

Each thread does the same long work through the binding. `decode` are Examples, `matmul` is a
product of 512×512 float32 matrices, `work` the pattern `interruptible`, which returns to Python
every 65536 rounds, and `noop_nogil` the other extreme: threads that release the GIL and acquire it
again, with nothing in between. One thread and all are timed in turn, in a process of their own.
"""

from __future__ import annotations

import json
import random
from collections import deque
from collections.abc import Callable, Sequence
from itertools import repeat
from pathlib import Path
from threading import Barrier, Thread
from time import perf_counter
from typing import Any, cast

import numpy as np

import ffi_cookbook
from benchmarks import REFERENCES
from benchmarks.core import machine
from benchmarks.core.bootstrap import Estimate, estimate
from benchmarks.core.process import ask, send
from benchmarks.ledger import inputs as made
from benchmarks.ledger.kernels import operands
from ffi_cookbook.records import read

SLICE = 0.005  # seconds
SAMPLES = {"quick": (1, 3), "usual": (2, 4), "full": (5, 9)}
"""The number of processes, and of rounds in each."""
SIZE, ROUNDS = 512, 1 << 20  # of the matrices, of `interruptible`
Work = Callable[[], object]


def measure(backends: Sequence[str], folder: str, effort: str) -> dict[str, Any]:
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
    processes, rounds = SAMPLES[effort]
    for _ in range(processes):
        answer = ask("ledger.beyond.threads", [native, folder, crews, rounds])
        for backend, works in answer.items():
            for work, times in works.items():
                for name, taken in times.items():
                    found[backend][work][name].append(taken)
    return found


def speedup(work: dict[str, Any]) -> Estimate:
    """Return the rate of all threads divided by that of one, from the results of `measure`."""
    found = estimate(work["one"], work["all"], np.divide)
    return Estimate(*(work["threads"] * ratio for ratio in found))


# ---- in a process of its own ---------------------------------------------------------------


def _timed(
    backends: list[str], folder: str, crews: dict[str, int], rounds: int
) -> dict[str, dict[str, dict[str, list[float]]]]:
    """Return the seconds of each round, by binding and work; `crews` are the numbers of threads."""
    inputs = made.load(Path(folder))
    return {
        backend: {
            work: beside([_work(work, ffi_cookbook.load(backend), inputs)] * crew, rounds, SLICE)
            for work, crew in crews.items()
        }
        for backend in random.sample(backends, len(backends))
    }


def _work(name: str, backend: Any, inputs: made.Inputs) -> Work:
    """Return the work of a thread; threads share only what they read."""
    if name == "decode":
        options: dict[str, Any] = {"backend": backend, "reuse": True, "compression": None}
        return lambda: deque(read(inputs.records, inputs.schema, **options), maxlen=1)
    if name == "matmul":
        a, b = operands(SIZE)
        return lambda: backend.matmul(a, b)
    if name == "work":
        return lambda: backend.patterns.interruptible(ROUNDS)
    return cast("Work", backend.patterns.noop_nogil)


def beside(threads: list[Work], rounds: int, slice_s: float) -> dict[str, list[float]]:
    """Return the seconds of the first thread and of all, round by round in random order."""
    seconds(threads, 1)  # warm
    count = 1
    while (took := seconds(threads[:1], count)) < slice_s / 2:
        count *= max(2, int(slice_s / took))
    times: dict[str, list[float]] = {"one": [], "all": []}
    for _ in range(rounds):
        for name in random.sample(list(times), len(times)):
            times[name].append(seconds(threads[:1] if name == "one" else threads, count))
    return times


def seconds(works: list[Work], count: int) -> float:
    """Return the seconds from the start of the first thread to the end of the last."""
    together = Barrier(len(works))
    spans = []

    def run(work: Work) -> None:
        together.wait()
        start = perf_counter()
        for _ in repeat(None, count):
            work()
        spans.append((start, perf_counter()))

    threads = [Thread(target=run, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    starts, ends = zip(*spans, strict=True)
    return float(max(ends) - min(starts))


def main(arguments: Sequence[str]) -> None:
    """Print the times of a job."""
    send([_timed(*json.loads(arguments[0]))])
