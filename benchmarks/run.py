"""The order of things: make the inputs, check every answer, then take the samples."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import machine
from baselines import BASELINES, PEAK, TELL_OPENBLAS, TOLD
from results import Results
from rich.progress import Progress
from workers import WorkerFailed, answer, answers


class Effort(NamedTuple):
    """How long to look."""

    processes: int
    rounds: int
    probe_slice: float
    kernel_slice: float


EFFORTS = {
    "quick": Effort(3, 3, 3e-4, 2e-3),
    "usual": Effort(6, 7, 1e-3, 4e-3),
    "full": Effort(30, 9, 2e-3, 5e-3),
}


def run(options: argparse.Namespace, results: Results, folder: str, progress: Progress) -> None:
    """Checks, and where all is right, times."""
    kernels = [kernel for kernel in options.kernel if kernel in BASELINES]
    checks = list(_checks(options, kernels))
    bar = progress.add_task("making inputs", total=1 + len(checks))
    results.inputs = answer("prepare", folder=folder, quick=options.effort == "quick")
    progress.update(bar, advance=1, description="checking answers")

    def check(job: dict[str, Any]) -> dict[str, Any]:
        try:
            found: dict[str, Any] = answer(**job, folder=folder)
        except WorkerFailed as failure:
            found = {"wrong": [str(failure)]}
        progress.advance(bar)
        return found

    with ThreadPoolExecutor(machine.cores()) as pool:
        everything = list(pool.map(check, checks))
    for job, found in zip(checks, everything, strict=True):
        name = job["name"]
        results.wrong += [f"{name}: {complaint}" for complaint in found.pop("wrong", [])]
        if job["do"] == "check_door":
            results.doors[name] = found
        elif "reason" in found:
            results.absent[name] = found["reason"]
    if not (results.wrong or results.refused or options.check):
        _time(options, results, EFFORTS[options.effort], folder, progress)


def _checks(options: argparse.Namespace, kernels: list[str]) -> Iterator[dict[str, Any]]:
    for name in options.only:
        yield {"do": "check_door", "name": name, "kernels": options.kernel, "rows": options.row}
    for kernel in kernels:
        for name in BASELINES[kernel]:
            yield {"do": "check_baseline", "kernel": kernel, "name": name}


def _time(
    options: argparse.Namespace, results: Results, effort: Effort, folder: str, progress: Progress
) -> None:
    kernels = options.kernel
    bar = progress.add_task("timing", total=None)
    common: dict[str, Any] = {"folder": folder, **effort._asdict()}
    everyone: dict[str, Any] = {
        "kernels": kernels,
        "doors": results.open_doors,
        "absent": list(results.absent),
        "rows": options.row,
    }
    numpy_alone: dict[str, Any] = {"kernels": ["matmul"], "doors": [], "absent": [PEAK], "rows": []}
    for number in range(effort.processes):
        progress.update(bar, description=f"timing, process {number + 1} of {effort.processes}")
        for group, samples in answers("sample", **everyone, **common):
            results.add(group, samples)
            progress.advance(bar)
        if "matmul" in kernels and machine.has_avx512():
            for group, samples in answers("sample", TELL_OPENBLAS, **numpy_alone, **common):
                (sample,) = samples.values()
                results.add(group, {TOLD: sample})
        progress.update(bar, total=len(results.cells) * effort.processes)
