"""`nox -s readers`: decode with all contenders in turn, and compare them.

What is decoded is checked; then all take turns in one process, in a new order every round. With
`--keep` the figures are stored as docs/readers.json, job by job, and shown in
docs/records-speed.md.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import findings
import numpy as np
from clock import Timed, interleaved
from marked import replace

from readers import pages, scale
from readers.jobs import JOBS, Job
from readers.libraries import versions

BACKENDS = ("capi", "ctypes", "cffi", "pybind11", "nanobind", "torch", "pyo3", "cython")
SLICE = 0.03  # seconds


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="readers", description="How fast are records read?")
    names = [*JOBS, pages.SCALE]
    usual = [name for name in names if name != "ray"]  # which needs Ray and TensorFlow
    parser.add_argument("--only", nargs="+", choices=names, default=usual)
    parser.add_argument("--backends", nargs="+", choices=BACKENDS, default=BACKENDS)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--keep", action="store_true", help="take the figures into docs/")
    options = parser.parse_args(arguments)
    backends, unavailable = findings.opened(options.backends)
    found = {}
    for name in options.only:
        print(f"{name}: {JOBS[name].__doc__ if name in JOBS else scale.__doc__}")
        about = {"backends": [*backends], "versions": versions(), "absent": unavailable}
        with tempfile.TemporaryDirectory() as folder:
            if name == pages.SCALE:
                found[name] = findings.part(partial(scale.measured, Path(folder)), about)
            else:
                job = JOBS[name](backends, Path(folder))
                about["absent"] = unavailable | job.absent
                found[name] = findings.part(partial(measure, job, options.rounds), about)
        print(f"{pages.shown(found, name)}\n", flush=True)
    print(*findings.about(found), sep="\n")
    if options.keep:
        findings.keep(pages.DATA, found)
        for path, text in pages.written().items():
            replace(path, text)
    return 0


def measure(job: Job, rounds: int) -> dict[str, dict[str, list[float]]]:
    """How much of the job's unit everyone does a second, round by round."""
    contenders = {name: Timed("f()", {"f": call}) for name, (call, _) in job.calls.items()}
    times = interleaved(contenders, rounds, SLICE, random.Random(1))
    speeds = {
        name: (amount / np.array(times[name])).tolist() for name, (_, amount) in job.calls.items()
    }
    return {"speeds": speeds}
