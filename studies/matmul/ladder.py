"""The steps of the ladder in turn, beside this project and other libraries."""

from __future__ import annotations

import os
import random
from statistics import median

import numpy as np

from benchmarks.core import machine
from benchmarks.core.pages import table
from studies.figures import digits, interval
from studies.matmul import rates, steps
from studies.study import Result, Setting

SIZES = (1000, 1024)
BAND = 128  # rows for the naive step, which would take seconds for all, at the same rate
Multipliers = dict[str, tuple[int, rates.Multiply]]
"""By name the threads and the function."""


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
            label = f"this project, {rates.LABELS[name]}"
            label += "" if threads == 1 else f", {threads} threads"
            found[label] = threads, rates.keyword(backend.matmul, threads=threads)
    found[rates.NUMPY] = 1, rates.keyword(np.matmul)
    return found | {
        name: (1, made) for name, made in setting.load(rates.TORCH, rates.torch_mm).items()
    }


def _right(setting: Setting, name: str, multiply: rates.Multiply) -> bool:
    shapes = [*steps.SHAPES, *((_rows(name, n), n, n) for n in SIZES)]
    complaints = steps.complaints(multiply, shapes)
    return setting.right(name, not complaints, "; ".join(complaints))


def _measured(n: int, multiply: Multipliers, setting: Setting) -> dict[str, list[rates.Rate]]:
    a, b, out = rates.operands(n, "float32")
    of_core = rates.peak(setting.folder)
    samples: dict[str, list[rates.Rate]] = {name: [] for name in multiply}
    for _ in range(setting.rounds):
        for name in random.sample(list(multiply), len(multiply)):
            rows = _rows(name, n)
            most = of_core()
            work = rates.product(multiply[name][1], a[:rows], b, out[:rows])
            samples[name].append((rates.rate(work), most))
    return samples


def _rows(name: str, n: int) -> int:
    """Return the number of rows of a for a step."""
    return BAND if name == steps.steps()[0].name else n


def show(found: Result, _: list[str]) -> str:
    """Return the table, with notes on how to read it."""
    sizes = list(found["samples"])
    heads = ["", *(head for n in sizes for head in (f"N = {n} GFLOP/s", "of the peak"))]
    rows = []
    for name, threads in found["threads"].items():
        row = [name]
        for by_name in found["samples"].values():
            of_peak = [share / threads for share in rates.shares(by_name[name])]
            row += [digits(median(known for known, _ in by_name[name])), interval(of_peak, "%")]
        rows.append(row)
    samples = [one for by_name in found["samples"].values() for one in by_name.values()]
    most = median(peak for rounds in samples for _, peak in rounds)
    notes = (
        f"float32, {len(samples[0])} rounds, everything in turn in one process: medians, and the "
        "quartiles of the share. The peak is the rate of independent multiply-adds on one core, "
        f"measured before each figure ({digits(most)} GFLOP/s), times the threads of the row; "
        f"steps with threads use {found['threads'].get('7 threads', 1)}."
    )
    return f"{table(heads, rows)}\n\n{notes}"
