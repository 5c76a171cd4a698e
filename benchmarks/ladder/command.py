"""`nox -s ladder`: every step's answers are checked, then all are timed in turn, in one process.

What is printed is kept too, with `--keep`: as docs/ladder.json, and as what docs/ladder.md and
docs/ladder.svg make of it.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import random
import subprocess
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import machine
import numpy as np
from baselines import peak_library

import bindings
from ladder import pages, steps

SIZES = (1000, 1024)
BAND = 128  # rows that the naive step is given: it takes seconds for all, and is no faster for it
SLICE = 0.03
PEAK_ROUNDS = 100_000
OURS, RUST = "this project, C", "this project, Rust"
NUMPY, TORCH = "NumPy", "torch.mm"


Multipliers = dict[str, tuple[int, steps.Matmul]]
"""By name the threads and the function."""


def main(arguments: list[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="ladder", description="What does each idea bring?")
    parser.add_argument("--rounds", type=int, default=9, help="times that everything is measured")
    parser.add_argument("--keep", action="store_true", help="take the figures into docs/")
    options = parser.parse_args(arguments)
    if options.rounds < 2:
        parser.error("a spread needs two rounds")
    os.environ["LADDER_THREADS"] = str(machine.cores())
    with TemporaryDirectory(prefix="ladder-") as folder:
        multiply, absent = contestants(Path(folder))
        wrong = [
            f"wrong: {name}: {complaint}"
            for name, (_, matmul) in multiply.items()
            for complaint in steps.complaints(
                matmul, [*steps.SHAPES, *((_rows(name, n), n, n) for n in SIZES)]
            )
        ]
        if wrong:
            print("\n".join([*wrong, "Nothing was timed."]))
            return 2
        quiet = machine.Quiet()
        samples = {str(n): measured(n, multiply, options.rounds, Path(folder)) for n in SIZES}
    figures = {
        "samples": samples,
        "threads": {name: threads for name, (threads, _) in multiply.items()},
        "machine": _about(),
        "noise": quiet.report(),
        "absent": absent,
        "cuda": steps.cuda(),
    }
    figures = json.loads(json.dumps(figures), parse_float=lambda text: float(f"{float(text):.4g}"))
    print(pages.summary(figures))
    if options.keep:
        pages.DATA.write_text(json.dumps(figures) + "\n", "utf-8")
        for path, text in pages.written().items():
            path.write_text(text, "utf-8")
    return 0


def contestants(folder: Path) -> tuple[Multipliers, dict[str, str]]:
    """All that can be had here; and why others are absent."""
    cores, absent = machine.cores(), {}
    found: Multipliers = {}
    for step in steps.steps():
        threads = cores if step.source.stem.endswith("threads") else 1
        found[step.name] = threads, steps.compiled(step, folder)
    for name, door in ((OURS, "ctypes"), (RUST, "pyo3")):
        try:
            matmul = bindings.load(door).matmul
        except bindings.BackendUnavailable as shut:
            absent[name] = f"{shut.reason}; to mend it: {shut.remedy}"
            continue
        for threads in sorted({1, cores}):
            label = name if threads == 1 else f"{name}, {threads} threads"
            found[label] = threads, _keyword(matmul, threads=threads)
    found[NUMPY] = 1, _keyword(np.matmul)
    try:
        import torch
    except ImportError as error:
        absent[TORCH] = str(error)
    else:
        torch.set_num_threads(1)
        found[TORCH] = 1, _tensors(torch)
    return found, absent


def _keyword(matmul: Callable[..., Any], **options: Any) -> steps.Matmul:
    def multiply(a: Any, b: Any, out: Any) -> None:
        matmul(a, b, out=out, **options)

    return multiply


def _tensors(torch: Any) -> steps.Matmul:
    def multiply(a: Any, b: Any, out: Any) -> None:
        torch.mm(torch.from_numpy(a), torch.from_numpy(b), out=torch.from_numpy(out))

    return multiply


def measured(
    n: int, multiply: Multipliers, rounds: int, folder: Path
) -> dict[str, list[tuple[float, float]]]:
    """Of each, round by round, GFLOP/s and the peak of one core just before."""
    generator = np.random.default_rng(n)
    a, b = (generator.standard_normal((n, n), np.float32) for _ in "ab")
    out, peak = np.empty_like(a), partial(_chains, peak_library(folder))
    samples: dict[str, list[tuple[float, float]]] = {name: [] for name in multiply}
    for _ in range(rounds):
        for name in random.sample(list(multiply), len(multiply)):
            rows = _rows(name, n)
            work = partial(_product, multiply[name][1], a[:rows], b, out[:rows])
            most = _rate(peak)
            samples[name].append((_rate(work), most))
    return samples


def _rows(name: str, n: int) -> int:
    """How many of a's rows it is given."""
    return BAND if name == steps.steps()[0].name else n


def _product(matmul: steps.Matmul, a: Any, b: Any, out: Any) -> float:
    matmul(a, b, out)
    return 2.0 * a.shape[0] * a.shape[1] * b.shape[1]


def _chains(peak: Any) -> float:
    return float(peak(PEAK_ROUNDS, ctypes.addressof(ctypes.c_float())))


def _rate(work: Callable[[], float]) -> float:
    """GFLOP/s of work that is done as often as lasts a slice, and does it once first if short."""
    start = perf_counter()
    done = work()
    if perf_counter() - start < SLICE:
        start, done = perf_counter(), 0.0
        while perf_counter() - start < SLICE:
            done += work()
    return done / (perf_counter() - start) / 1e9


def _about() -> dict[str, Any]:
    """The machine, and what was compiled by what."""
    said = subprocess.run([steps.compiler(), "--version"], capture_output=True, text=True).stdout
    facts = machine.facts()
    return {
        **{name: facts[name] for name in ("processor", "cores", "system", "python_version")},
        "compiler": said.splitlines()[0],
        "numpy": np.__version__,
    }
