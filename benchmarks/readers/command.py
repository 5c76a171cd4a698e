"""`nox -s readers`: what is decoded is checked, then all take turns in one process."""

from __future__ import annotations

import argparse
import random
import tempfile
from pathlib import Path

import numpy as np
from clock import Timed, interleaved

import bindings
from readers.jobs import JOBS, Job

DOORS = ("capi", "ctypes", "cffi", "pybind11", "nanobind", "torch", "pyo3", "cython")
SLICE = 0.03  # seconds


def main() -> None:
    """Prints the tables."""
    parser = argparse.ArgumentParser(description="how fast records are read")
    parser.add_argument("--only", nargs="+", choices=JOBS, default=list(JOBS))
    parser.add_argument("--doors", nargs="+", choices=DOORS, default=DOORS)
    parser.add_argument("--rounds", type=int, default=15)
    options = parser.parse_args()
    doors = {name: bindings.load(name) for name in options.doors}
    with tempfile.TemporaryDirectory() as folder:
        for name in options.only:
            print(f"{name}: {JOBS[name].__doc__}")
            measure(JOBS[name](doors, Path(folder)), options.rounds)


def measure(job: Job, rounds: int) -> None:
    """Prints one table."""
    contestants = {name: Timed("f()", {"f": call}) for name, (call, _) in job.calls.items()}
    times = interleaved(contestants, rounds, SLICE, random.Random(1))
    speeds = {name: amount / np.array(times[name]) for name, (_, amount) in job.calls.items()}
    for name, speed in speeds.items():
        first = f"{name[:-5]}, one" if name.endswith(", two") else next(iter(speeds))
        low, middle, high = np.quantile(speed / speeds[first], (0.25, 0.5, 0.75))
        ratio = f"{middle:8.3f} [{low:.3f} {high:.3f}] of {first}"
        told = name != first and not name.endswith(", one")
        print(
            f"    {name:20}{np.median(speed):12.4g} {job.unit}/s  {ratio if told else ''}",
            flush=True,
        )
