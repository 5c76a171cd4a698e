"""`nox -s ladder`: every step's answers are checked, then all are timed in turn, in one process.

What is printed is kept too, with `--keep`: as docs/ladder.json, and as what docs/ladder.md and
docs/ladder.svg make of it.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import machine
import numpy as np
from rates import Multiply, Rate, keyword, operands, peak, product, rate, torch_mm

import bindings
from ladder import pages, steps

SIZES = (1000, 1024)
BAND = 128  # rows that the naive step is given: it takes seconds for all, and is no faster for it
OURS, RUST = "this project, C", "this project, Rust"
NUMPY, TORCH = "NumPy", "torch.mm"

Multipliers = dict[str, tuple[int, Multiply]]
"""By name the threads and the function."""


def main(arguments: list[str] | None = None) -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="ladder", description="What does each idea bring?")
    parser.add_argument("--rounds", type=int, default=9, help="times that everything is measured")
    parser.add_argument("--keep", action="store_true", help="take the figures into docs/")
    options = parser.parse_args(arguments)
    if options.rounds < 2:
        parser.error("a spread needs two rounds")
    os.environ["LADDER_THREADS"] = str(machine.cores())
    with TemporaryDirectory(prefix="ladder-") as folder:
        multiply, absent = contenders(Path(folder))
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
    pages.publish(figures, pages.summary, pages.DATA if options.keep else None)
    return 0


def contenders(folder: Path) -> tuple[Multipliers, dict[str, str]]:
    """All that can be had here; and why others are absent."""
    cores, absent = machine.cores(), {}
    found: Multipliers = {}
    for step in steps.steps():
        threads = cores if step.source.stem.endswith("threads") else 1
        found[step.name] = threads, steps.compiled(step, folder)
    for name, backend in ((OURS, "ctypes"), (RUST, "pyo3")):
        try:
            matmul = bindings.load(backend).matmul
        except bindings.BackendUnavailable as unavailable:
            absent[name] = str(unavailable)
            continue
        for threads in sorted({1, cores}):
            label = name if threads == 1 else f"{name}, {threads} threads"
            found[label] = threads, keyword(matmul, threads=threads)
    found[NUMPY] = 1, keyword(np.matmul)
    try:
        found[TORCH] = 1, torch_mm()
    except ImportError as error:
        absent[TORCH] = str(error)
    return found, absent


def measured(n: int, multiply: Multipliers, rounds: int, folder: Path) -> dict[str, list[Rate]]:
    """Of each, round by round, GFLOP/s and the peak of one core just before."""
    a, b, out = operands(n, "float32")
    of_core = peak(folder)
    samples: dict[str, list[Rate]] = {name: [] for name in multiply}
    for _ in range(rounds):
        for name in random.sample(list(multiply), len(multiply)):
            rows = _rows(name, n)
            most = of_core("float32")
            work = product(multiply[name][1], a[:rows], b, out[:rows])
            samples[name].append((rate(work), most))
    return samples


def _rows(name: str, n: int) -> int:
    """Return the number of a's rows that a step is given."""
    return BAND if name == steps.steps()[0].name else n


def _about() -> dict[str, Any]:
    """Return the machine, and the compilers."""
    said = subprocess.run([steps.compiler(), "--version"], capture_output=True, text=True).stdout
    facts = machine.facts()
    return {
        **{name: facts[name] for name in ("processor", "cores", "system", "python_version")},
        "compiler": said.splitlines()[0],
        "numpy": np.__version__,
    }
