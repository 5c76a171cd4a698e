"""Products large enough to be limited by the multipliers, ours beside those of other libraries."""

from __future__ import annotations

import platform
import random
from collections.abc import Mapping
from statistics import median

import numpy as np

from benchmarks.core.figures import interval, quartiles, table
from benchmarks.studies.matmul.checked import checker
from benchmarks.studies.matmul.core_types import CORE_TYPES, OpenBlas
from benchmarks.studies.matmul.rates import (
    LABELS,
    NUMPY,
    TORCH,
    TYPES,
    C,
    Multiply,
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
from benchmarks.study import Result, Setting

SIZES = {1000: 9, 1024: 9, 2048: 5, 3000: 3, 4096: 3}
"""Size to rounds: the last take seconds for each contender."""
BEST, AGAIN = "NumPy †", "C again"
BAR = 92  # per cent of the peak


def measure(setting: Setting) -> Result:
    """Return the rates, and for each element type NumPy's fastest core type."""
    libraries = {LABELS[name]: keyword(one.matmul) for name, one in setting.backends.items()}
    libraries |= {NUMPY: keyword(np.matmul), **setting.load(TORCH, torch_mm)}
    processes = {name: OpenBlas(name) for name in CORE_TYPES.get(platform.machine(), ())}
    try:
        for name in [name for name, process in processes.items() if not process.runs()]:
            processes.pop(name).end()
        best = {dtype: _fastest(processes, dtype) for dtype in TYPES if processes}
        for name in processes.keys() - best.values():
            processes.pop(name).end()
        compared = {dtype: processes[name] for dtype, name in best.items()}
        return {"rates": _compared(setting, libraries, compared), "best": best}
    finally:
        for process in processes.values():
            process.end()


def _fastest(processes: Mapping[str, OpenBlas], dtype: str) -> str:
    found = {name: max(one.rate(1024, dtype) for _ in "123") for name, one in processes.items()}
    return max(found, key=lambda name: found[name])


def _compared(
    setting: Setting, libraries: Mapping[str, Multiply], best: Mapping[str, OpenBlas]
) -> Rates:
    """Measure, ours twice, which shows the noise; check the products of the first round."""
    found: Rates = {}
    of_core, file = peak(setting.folder), setting.folder / "product.npy"
    for dtype in TYPES:
        for n, rounds in SIZES.items():
            a, b, out = operands(n, dtype)
            right = checker(a, b)
            works = {name: product(multiply, a, b, out) for name, multiply in libraries.items()}
            works[AGAIN] = works[C]
            names = [*works, BEST] if dtype in best else [*works]
            samples: dict[str, list[Rate]] = {name: [] for name in names}
            for turn in range(min(rounds, setting.rounds)):
                for name in random.sample(names, len(names)):
                    if turn == 0:
                        out[:] = np.nan
                    most = of_core(dtype)
                    known = rate(works[name]) if name in works else best[dtype].rate(n, dtype)
                    samples[name].append((known, most))
                    if turn == 0:
                        got = out if name in works else best[dtype].save(n, dtype, file)
                        complaint = f"N = {n}, {dtype}: beyond the error bound"
                        setting.right(name, right(got), complaint)
            found.setdefault(dtype, {})[str(n)] = samples
    return found


def show(found: Result, _: list[str]) -> str:
    """Return the shares of the peak, and C's rate divided by each of the others'."""
    first = next(iter(next(iter(found["rates"].values())).values()))
    ours = [name for name in LABELS.values() if name in first]
    others = sorted(name for name in first if name not in (*ours, AGAIN))
    heads = [f"{name}, of the peak" for name in ours] + [f"C : {name}" for name in others]
    lines, met, behind = [], 0, 0
    for dtype, n, samples in rows(found["rates"]):
        of_peak = [shares(samples[name]) for name in ours]
        compared, twice = [ratios(samples, name) for name in others], ratios(samples, AGAIN)
        met += median(of_peak[0]) >= BAR
        behind += any(median(ratio) < 1 - floor(twice) for ratio in compared)
        texts = [interval(one, "%") for one in of_peak]
        lines.append([f"{dtype} {n}", *texts, *(interval(one, " ×") for one in (*compared, twice))])
    types = ", ".join(f"{kind} for {dtype}" for dtype, kind in found["best"].items())
    notes = [
        f"Goals: {BAR}% of the peak (C meets it in {met} of {len(lines)} rows), and no library "
        "faster than C by more than C differs from itself, C : C (met in "
        f"{len(lines) - behind} of {len(lines)}).",
        "† NumPy in a process of its own, with the OPENBLAS_CORETYPE that is fastest here: "
        f"{types or 'none'}.",
    ]
    return "\n\n".join([table(["", *heads, "C : C"], lines), "  \n".join(notes)])


def floor(twice: list[float]) -> float:
    """Return the distance from 1 of the quartiles of a ratio of C to itself."""
    low, _, high = quartiles(twice)
    return max(abs(1 - low), abs(high - 1))
