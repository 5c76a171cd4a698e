"""Products large enough to be limited by the multipliers, ours beside those of other libraries."""

from __future__ import annotations

import random

import numpy as np

from benchmarks.core.figures import interval, table
from studies.matmul.checked import checker
from studies.matmul.rates import (
    LABELS,
    NUMPY,
    TORCH,
    TYPES,
    C,
    Rate,
    Rates,
    keyword,
    operands,
    peak,
    product,
    rate,
    ratios,
    rows,
    shares,
    torch_mm,
)
from studies.study import Result, Setting

SIZES = {1000: 9, 1024: 9, 2048: 5, 3000: 3, 4096: 3}
"""Size to rounds: the last take seconds for each contender."""
AGAIN = "C again"


def measure(setting: Setting) -> Result:
    """Return the rates, C's twice, which shows the noise; check the first round's products."""
    multiply = {LABELS[name]: keyword(one.matmul) for name, one in setting.backends.items()}
    multiply |= {NUMPY: keyword(np.matmul), **setting.load(TORCH, torch_mm)}
    multiply[AGAIN] = multiply[C]
    found: Rates = {}
    of_core = peak(setting.folder)
    for dtype in TYPES:
        for n, rounds in SIZES.items():
            a, b, out = operands(n, dtype)
            right = checker(a, b)
            works = {name: product(one, a, b, out) for name, one in multiply.items()}
            samples: dict[str, list[Rate]] = {name: [] for name in works}
            for turn in range(min(rounds, setting.rounds)):
                for name in random.sample([*works], len(works)):
                    out[:] = np.nan
                    most = of_core(dtype)
                    samples[name].append((rate(works[name]), most))
                    if turn == 0:
                        complaint = f"N = {n}, {dtype}: beyond the error bound"
                        setting.right(name, right(out), complaint)
            found.setdefault(dtype, {})[str(n)] = samples
    return {"rates": found}


def show(found: Result, _: list[str]) -> str:
    """Return the shares of the peak, and C's rate divided by each of the others'."""
    first = next(iter(next(iter(found["rates"].values())).values()))
    ours = [name for name in LABELS.values() if name in first]
    others = sorted(name for name in first if name not in (*ours, AGAIN))
    heads = [f"{name}, of the peak" for name in ours] + [f"C : {name}" for name in others]
    lines = []
    for dtype, n, samples in rows(found["rates"]):
        of_peak = [interval(shares(samples[name]), "%") for name in ours]
        compared = [interval(ratios(samples, name), " ×") for name in (*others, AGAIN)]
        lines.append([f"{dtype} {n}", *of_peak, *compared])
    return table(["", *heads, "C : C"], lines)
