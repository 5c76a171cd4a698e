"""A script that times the same work by one thread and by many, through every binding."""

from __future__ import annotations

import json
import random
from collections import deque
from collections.abc import Callable, Sequence
from itertools import repeat
from pathlib import Path
from threading import Barrier, Thread
from time import perf_counter
from types import ModuleType
from typing import Any, cast

import ffi_cookbook
from benchmarks.core.process import send
from benchmarks.ledger import inputs as made
from benchmarks.ledger.kernels import operands
from ffi_cookbook.records import read

SIZE = 512
ROUNDS = 1 << 20  # of `interruptible`

Work = Callable[[], object]


def measure(
    backends: list[str], folder: str, crews: dict[str, int], rounds: int, slice_s: float
) -> dict[str, Any]:
    """Return the seconds of each round, by binding and work; `crews` are the numbers of threads."""
    inputs = made.load(Path(folder))
    found: dict[str, Any] = {}
    for backend in random.sample(backends, len(backends)):
        module = cast("ModuleType", ffi_cookbook.load(backend))
        found[backend] = {
            work: beside([make(work, module, inputs) for _ in range(crew)], rounds, slice_s)
            for work, crew in crews.items()
        }
    return found


def make(name: str, backend: Any, inputs: made.Inputs) -> Work:
    """Return the work of one thread; threads share only the bytes that are decoded."""
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
    send([measure(*json.loads(arguments[0]))])
