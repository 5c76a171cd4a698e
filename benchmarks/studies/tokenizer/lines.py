"""Many short lines, their ids in one array with offsets, on one thread.

tiktoken encodes lines one by one into lists, which is faster than its batches; it and HF tokenizers
get fewer lines.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from benchmarks.core.clock import Timed, WarmLoop, interleaved
from benchmarks.core.figures import against, interval, table
from benchmarks.studies.tokenizer.bench import YARDSTICK, Bench, megabytes
from benchmarks.studies.tokenizer.contenders import (
    GIGATOKEN,
    HUGGING_FACE,
    TIKTOKEN,
    gigatoken_of,
    huggingface_of,
    installed,
    tiktoken_of,
)

LINES, FEW = 40_000, 4_000
SLICE = 0.02  # seconds
Result = dict[str, Any]


class Batcher(NamedTuple):
    """A function of lines, the conversion of its answer to one array, and its number of lines."""

    encode: Callable[[list[str]], Any]
    flat: Callable[[Any], Any]
    most: int = LINES


def measure(bench: Bench) -> Result:
    """Return MB/s of each, round by round."""
    text = bench.texts.get("Shakespeare") or next(iter(bench.texts.values()))
    lines = list(islice(text.splitlines(keepends=True), LINES))
    wanted = [tiktoken_of(bench.vocabularies[0]).encode_to_numpy(line) for line in lines]
    found, sizes = {YARDSTICK: bench.yardstick.timed}, {}
    for name, batcher in _batchers(bench).items():
        some = lines[: batcher.most]
        ids = batcher.flat(batcher.encode(some))
        if bench.same(name, ids, np.concatenate(wanted[: len(some)]), f"{len(some)} lines"):
            sizes[name] = megabytes("".join(some))
            found[name] = Timed("f(lines)", {"f": batcher.encode, "lines": some})
    times = interleaved(found, bench.rounds, SLICE, random.Random(1), WarmLoop)
    yardstick = bench.yardstick.speeds(times.pop(YARDSTICK))
    speeds = {name: (sizes[name] / np.array(taken)).tolist() for name, taken in times.items()}
    return {"speeds": speeds, "lines": len(lines), YARDSTICK: yardstick}


def _batchers(bench: Bench) -> dict[str, Batcher]:
    vocabulary = bench.vocabularies[0]
    found = {
        name: Batcher(backend.Tokenizer(vocabulary.load()).encode_batch, lambda answer: answer[0])
        for name, backend in bench.backends.items()
    }
    if installed(GIGATOKEN):
        gigatoken = gigatoken_of(vocabulary)
        found[GIGATOKEN] = Batcher(
            lambda lines: gigatoken.encode_batch(lines, parallel=False),
            lambda answer: answer.layout.content.data,
        )
    one = tiktoken_of(vocabulary).encode_ordinary
    found[TIKTOKEN] = Batcher(lambda lines: [*map(one, lines)], _joined, FEW)
    if installed(HUGGING_FACE):
        found[HUGGING_FACE] = Batcher(
            huggingface_of(vocabulary).encode_batch_fast,
            lambda encodings: _joined(one.ids for one in encodings),
            FEW,
        )
    return {name: batcher for name, batcher in found.items() if name not in bench.wrong}


def _joined(by_line: Iterable[list[int]]) -> list[int]:
    return [i for ids in by_line for i in ids]


def show(found: Mapping[str, Any], backends: list[str]) -> str:
    """Return the speeds, and the first binding's speed divided by each of them."""
    speeds = found["speeds"]
    rows = [
        [name, interval(taken), interval(against(speeds, backends[0], name), " ×")]
        for name, taken in speeds.items()
    ]
    return table([f"{found['lines']:,} lines", "MB/s", f"{backends[0]} : this"], rows)
