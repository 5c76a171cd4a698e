"""The speed of two threads that encode one batch, and the largest possible speed.

The controls are tokenizers that share nothing, each with a thread and texts of its own, and loops
that only count.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.core import machine
from benchmarks.core.clock import Timed, WarmLoop, interleaved
from benchmarks.core.figures import ABSENT, against, interval, table
from benchmarks.studies.records.files import loops
from benchmarks.studies.tokenizer.bench import YARDSTICK, Bench, megabytes
from benchmarks.studies.tokenizer.contenders import tiktoken_of

PART = 64_000  # characters of a text
COUNTED = 10_000_000
SLICE = 0.03  # seconds
APART, COUNTING = "two tokenizers, a thread each", "two loops that only count"
ONE, TWO = "one", "two"
Result = dict[str, Any]
Amount = tuple[Callable[[], object], float]
"""A call, and how much it does."""


def measure(bench: Bench) -> Result | None:
    """Return the speeds of one thread and of two, round by round, or None on a single core."""
    if machine.cores() < 2:
        return None
    text = next(iter(bench.texts.values()))
    parts = [text[at : at + PART] for at in range(0, len(text), PART)]
    with ThreadPoolExecutor(2) as pool:
        ways = {**_batches(bench, parts, megabytes(text)), **_controls(bench, parts, pool)}
        found = {
            f"{name} {threads}": Timed("f()", {"f": call})
            for name, by_threads in ways.items()
            for threads, (call, _) in by_threads.items()
        }
        found[YARDSTICK] = bench.yardstick.timed
        times = interleaved(found, bench.rounds, SLICE, random.Random(1), WarmLoop)
    yardstick = bench.yardstick.speeds(times.pop(YARDSTICK))
    speeds = {
        name: {
            threads: (amount / np.array(times[f"{name} {threads}"])).tolist()
            for threads, (_, amount) in by_threads.items()
        }
        for name, by_threads in ways.items()
    }
    return {"speeds": speeds, YARDSTICK: yardstick}


def _batches(bench: Bench, parts: list[str], size: float) -> dict[str, dict[str, Amount]]:
    """Return the work of every binding, warm and checked, on one thread and on two."""
    vocabulary = bench.vocabularies[0]
    encode = tiktoken_of(vocabulary).encode_to_numpy
    wanted = np.concatenate([encode(part) for part in parts])
    found = {}
    for name, backend in bench.backends.items():
        encode_batch = backend.Tokenizer(vocabulary.load()).encode_batch
        answers = [encode_batch(parts, threads)[0] for threads in (1, 2)]
        if all(bench.same(name, ids, wanted, "a batch on two threads") for ids in answers):
            found[name] = {
                ONE: (partial(encode_batch, parts, 1), size),
                TWO: (partial(encode_batch, parts, 2), size),
            }
    return found


def _controls(
    bench: Bench, parts: list[str], pool: ThreadPoolExecutor
) -> dict[str, dict[str, Amount]]:
    """Return the controls: two threads that share nothing, and loops that only count."""
    backend, vocabulary = next(iter(bench.backends.values())), bench.vocabularies[0]
    apart = [partial(backend.Tokenizer(vocabulary.load()).encode_batch, parts, 1) for _ in "12"]

    def together(both: list[Callable[[], object]]) -> None:
        list(pool.map(lambda call: call(), both))

    return {
        name: {ONE: (both[0], 1), TWO: (partial(together, both), 2)}
        for name, both in ((APART, apart), (COUNTING, _counting(bench.folder)))
        if both
    }


def _counting(folder: Path) -> list[Callable[[], object]]:
    try:
        return [partial(loops(folder).count, COUNTED)] * 2
    except ImportError:  # no compiler
        return []


def show(found: Mapping[str, Any], backends: list[str]) -> str:
    """Return two threads as a multiple of one, and for batches the speed."""
    rows = [
        [
            name,
            interval(speeds[TWO]) if name in backends else ABSENT,
            interval(against(speeds, TWO, ONE), " ×"),
        ]
        for name, speeds in found["speeds"].items()
    ]
    return table(["two threads", "MB/s", "of one"], rows)
