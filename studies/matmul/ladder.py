"""The steps of the ladder in turn, beside this project and other libraries."""

from __future__ import annotations

import os
import random
from statistics import median
from typing import NamedTuple

import numpy as np

from benchmarks.core import machine
from benchmarks.core.pages import table
from studies.figures import digits, quartiles
from studies.matmul import steps
from studies.matmul.rates import (
    LABELS,
    NUMPY,
    TORCH,
    Multiply,
    Rate,
    keyword,
    operands,
    peak,
    product,
    rate,
    shares,
    torch_mm,
)
from studies.study import Result, Setting

SIZES = (1000, 1024)
BAND = 128  # rows for the naive step, which would take seconds for all, at the same rate
Multipliers = dict[str, tuple[int, Multiply]]
"""By name the threads and the function."""


class Share(NamedTuple):
    """GFLOP/s, and the per cent of the peak of the cores in use: the median, and the quartiles."""

    rate: float
    share: float
    low: float
    high: float


def measure(setting: Setting) -> Result:
    """Return GFLOP/s and the peak beside them, by size and contender, without wrong contenders."""
    os.environ["LADDER_THREADS"] = str(machine.cores())
    multiply = {
        name: one for name, one in _contenders(setting).items() if _right(setting, name, one[1])
    }
    return {
        "samples": {str(n): _measured(n, multiply, setting) for n in SIZES},
        "threads": {name: threads for name, (threads, _) in multiply.items()},
    }


def _contenders(setting: Setting) -> Multipliers:
    cores = machine.cores()
    found: Multipliers = {}
    for step in steps.steps():
        threads = cores if step.source.stem.endswith("threads") else 1
        found[step.name] = threads, steps.compiled(step, setting.folder)
    for name, backend in setting.backends.items():
        for threads in sorted({1, cores}):
            label = f"this project, {LABELS[name]}"
            label += "" if threads == 1 else f", {threads} threads"
            found[label] = threads, keyword(backend.matmul, threads=threads)
    found[NUMPY] = 1, keyword(np.matmul)
    return found | {name: (1, made) for name, made in setting.load(TORCH, torch_mm).items()}


def _right(setting: Setting, name: str, multiply: Multiply) -> bool:
    shapes = [*steps.SHAPES, *((_rows(name, n), n, n) for n in SIZES)]
    complaints = steps.complaints(multiply, shapes)
    return setting.right(name, not complaints, "; ".join(complaints))


def _measured(n: int, multiply: Multipliers, setting: Setting) -> dict[str, list[Rate]]:
    a, b, out = operands(n, "float32")
    of_core = peak(setting.folder)
    samples: dict[str, list[Rate]] = {name: [] for name in multiply}
    for _ in range(setting.rounds):
        for name in random.sample(list(multiply), len(multiply)):
            rows = _rows(name, n)
            most = of_core()
            work = product(multiply[name][1], a[:rows], b, out[:rows])
            samples[name].append((rate(work), most))
    return samples


def _rows(name: str, n: int) -> int:
    """Return the number of rows of a for a step."""
    return BAND if name == steps.steps()[0].name else n


def by_contender(found: Result) -> dict[str, dict[str, Share]]:
    """Return the shares, by contender and size."""
    return {
        name: {size: _share(by_name[name], threads) for size, by_name in found["samples"].items()}
        for name, threads in found["threads"].items()
    }


def _share(samples: list[Rate], threads: int) -> Share:
    low, middle, high = quartiles([one / threads for one in shares(samples)])
    return Share(median(known for known, _ in samples), middle, low, high)


def show(found: Result, _: list[str]) -> str:
    """Return the table, with notes on how to read it."""
    sizes = list(found["samples"])
    heads = ["", *(head for n in sizes for head in (f"N = {n} GFLOP/s", "of the peak"))]
    rows = [
        [name, *(text for one in by_size.values() for text in (digits(one.rate), percent(one)))]
        for name, by_size in by_contender(found).items()
    ]
    samples = [one for by_name in found["samples"].values() for one in by_name.values()]
    most = median(peak for rounds in samples for _, peak in rounds)
    notes = (
        f"float32, {len(samples[0])} rounds, everything in turn in one process: medians, and the "
        "quartiles of the share. The peak is the rate of independent multiply-adds on one core, "
        f"measured before each figure ({digits(most)} GFLOP/s), times the threads of the row; "
        f"steps with threads use {found['threads'].get('7 threads', 1)}."
    )
    return f"{table(heads, rows)}\n\n{notes}"


def percent(one: Share) -> str:
    """Return the share with its quartiles."""
    places = 1 if one.share < 10 else 0
    low, middle, high = (f"{value:.{places}f}" for value in (one.low, one.share, one.high))
    return f"{middle}% ({low}–{high})"
