"""The first call of a fresh tokenizer, and the time to open a model that was built before.

A fresh tokenizer stays alive until the last round: its freed memory would be warm for the next.
tiktoken has no cache, so each of its calls is like the first.
"""

from __future__ import annotations

import ctypes
import gc
import random
from collections.abc import Callable, Mapping
from time import perf_counter
from typing import Any

from benchmarks.core.clock import Timed, spread
from benchmarks.core.pages import table
from studies.figures import against, interval, names
from studies.tokenizer.bench import Bench, megabytes
from studies.tokenizer.contenders import GIGATOKEN, HUGGING_FACE, TIKTOKEN, Makers, gigatoken_of
from studies.tokenizer.contenders import loaded_by_tiktoken as from_file
from studies.tokenizer.texts import Vocabulary

SIZE = 1_000_000  # characters
SLICE = 0.02  # seconds
Result = dict[str, Any]


def measure(bench: Bench) -> Result:
    """Return MB/s of first calls by vocabulary and text, and seconds of opening by vocabulary."""
    found: Result = {"first": {}, "open": {}}
    for vocabulary in bench.vocabularies:
        makers = bench.makers(vocabulary)
        makers.pop(HUGGING_FACE, None)
        by_text = found["first"].setdefault(vocabulary.pattern, {})
        for title in list(bench.texts)[:2]:
            text = bench.texts[title][:SIZE]
            wanted, where = makers[TIKTOKEN]()(text), f"{title}, cold, under {vocabulary.pattern}"
            for name in list(makers):
                if not bench.same(name, makers[name]()(text), wanted, where):
                    del makers[name]
            times = first_calls(bench, makers, text)
            by_text[title] = {
                name: [megabytes(text) / one for one in taken] for name, taken in times.items()
            }
        opening = {name: Timed("f()", {"f": f}) for name, f in _opening(bench, vocabulary).items()}
        times = spread({"": opening}, bench.rounds, SLICE, random.Random(1))[""]
        found["open"][vocabulary.pattern] = times
    return found


def first_calls(bench: Bench, makers: Makers, text: str) -> dict[str, list[float]]:
    """Return the seconds of each first call by round."""
    times: dict[str, list[float]] = {name: [] for name in makers}
    order, kept = random.Random(1), []
    if trim := getattr(ctypes.CDLL(None), "malloc_trim", None):  # as glibc, which keeps memory
        trim(0)  # the next allocation gets untouched pages
    gc.disable()
    try:
        for _ in range(bench.rounds):
            for name in order.sample(list(makers), len(makers)):
                kept.append(makers[name]())
                times[name].append(_seconds(kept[-1], text))
    finally:
        gc.enable()
    return times


def _seconds(encode: Callable[[str], object], text: str) -> float:
    start = perf_counter()
    ids = encode(text)
    taken = perf_counter() - start
    del ids
    return taken


def _opening(bench: Bench, vocabulary: Vocabulary) -> dict[str, Callable[[], object]]:
    found: dict[str, Callable[[], object]] = {
        name: lambda backend=backend: backend.Tokenizer(vocabulary.load())
        for name, backend in bench.backends.items()
    }
    found |= {GIGATOKEN: lambda: gigatoken_of(vocabulary), TIKTOKEN: lambda: from_file(vocabulary)}
    return {name: make for name, make in found.items() if name in bench.makers(vocabulary)}


def show(found: Mapping[str, Any], backends: list[str]) -> str:
    """Return the tables of the first calls and of opening a model."""
    cells = {
        f"{pattern}, {title}": speeds
        for pattern, by_text in found["first"].items()
        for title, speeds in by_text.items()
    }
    everyone = names(cells.values())
    other = [GIGATOKEN] if GIGATOKEN in everyone else []
    first = [
        [
            where,
            *(interval(speeds.get(name)) for name in everyone),
            *(interval(against(speeds, everyone[0], name), " ×") for name in other),
        ]
        for where, speeds in cells.items()
    ]
    openers = names(found["open"].values())
    opening = [
        [pattern, *(interval(times.get(name), scale=1e3) for name in openers)]
        for pattern, times in found["open"].items()
    ]
    speeds = table(["MB/s", *everyone, *(f"{everyone[0]} : {name}" for name in other)], first)
    return f"{speeds}\n\n{table(['ms to open, ours from the disk cache', *openers], opening)}"
