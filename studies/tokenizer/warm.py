"""Long texts that were encoded before, on one thread, with the ids as an array."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import numpy as np

from benchmarks.core.clock import Loop, Timed, spread
from benchmarks.core.pages import table
from studies.figures import ABSENT, against, digits, interval, names
from studies.tokenizer.bench import SHARE, Bench, megabytes
from studies.tokenizer.contenders import HUGGING_FACE, TIKTOKEN, Encode

SHOWN = {TIKTOKEN: SHARE, HUGGING_FACE: SHARE}
"""Characters that the slow ones are given."""
SLICE = 0.02  # seconds
Cell = dict[str, Any]


class WarmLoop(Loop):
    """A loop whose slices begin with calls that do not count.

    They reload the data that other contenders' slices have evicted from the caches, which matters
    if a slice is a single call.
    """

    def seconds(self) -> float:
        """Return the time of one statement, over one slice."""
        self._run(1)
        return super().seconds()


def measure(bench: Bench) -> dict[str, Any]:
    """Return MB/s and pretokens per MB for each vocabulary and text."""
    cells: dict[str, dict[str, Cell]] = {}
    for vocabulary in bench.vocabularies:
        encoders = {name: make() for name, make in bench.makers(vocabulary).items()}
        split = next(iter(bench.backends.values())).Tokenizer(vocabulary.load()).split
        for title, text in bench.texts.items():
            speeds = _speeds(bench, encoders, text, f"{title} under {vocabulary.pattern}")
            cell = {"speeds": speeds, "pieces": len(split(text)) / megabytes(text)}
            cells.setdefault(vocabulary.pattern, {})[title] = cell
    return {"cells": cells}


def _speeds(
    bench: Bench, encoders: Mapping[str, Encode], text: str, where: str
) -> dict[str, list[float]]:
    """Return MB/s of the contenders with right ids, round by round."""
    contenders, sizes = {}, {}
    for name, encode in encoders.items():
        shown = text[: SHOWN.get(name, len(text))]
        if bench.same(name, encode(shown), encoders[TIKTOKEN](shown), where):
            sizes[name] = megabytes(shown)
            contenders[name] = Timed("f(text)", {"f": encode, "text": shown})
    times = spread({"": contenders}, bench.rounds, SLICE, random.Random(1), WarmLoop)[""]
    return {name: (sizes[name] / np.array(taken)).tolist() for name, taken in times.items()}


def show(found: Mapping[str, Any], backends: list[str]) -> str:
    """Return the speeds, and their ratios to the first binding's."""
    cells = {
        f"{pattern}, {title}": cell
        for pattern, by_text in found["cells"].items()
        for title, cell in by_text.items()
    }
    everyone = names(cell["speeds"] for cell in cells.values())
    first, *others = everyone
    speeds = [
        [where, *(interval(cell["speeds"].get(name)) for name in everyone), _piece(cell, first)]
        for where, cell in cells.items()
    ]
    compared = [
        [
            where,
            *(interval(_compared(cell["speeds"], first, one, backends), " ×") for one in others),
        ]
        for where, cell in cells.items()
    ]
    heads = [f"{one} : {first}" if one in backends else f"{first} : {one}" for one in others]
    fast = table(["MB/s", *everyone, f"ns a pretoken, {first}"], speeds)
    return f"{fast}\n\n{table(['as fast', *heads], compared)}"


def _compared(
    speeds: Mapping[str, list[float]], first: str, other: str, backends: list[str]
) -> list[float] | None:
    one, two = (other, first) if other in backends else (first, other)
    return against(speeds, one, two)


def _piece(cell: Cell, name: str) -> str:
    if name not in cell["speeds"]:
        return ABSENT
    return digits(1e9 / (float(np.median(cell["speeds"][name])) * cell["pieces"]))
