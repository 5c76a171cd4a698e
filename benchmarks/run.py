"""The order of things: make the inputs, check every answer, then take the samples."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import beyond
import instructions
import machine
from baselines import BASELINES, BLAS, PEAK, TELL_OPENBLAS, TOLD
from honesty.refusals import refusals
from model import costs, even
from model.crossing import break_even
from results import Results
from rich.progress import Progress
from rows import ALL
from workers import WorkerFailed, answer, answers


class Effort(NamedTuple):
    """How long to look."""

    processes: int
    rounds: int
    kernel_rounds: int
    probe_slice: float
    kernel_slice: float
    even_slice: float


EFFORTS = {
    "quick": Effort(3, 3, 3, 3e-4, 2e-3, 1e-3),
    "usual": Effort(6, 7, 4, 5e-4, 2e-3, 7e-4),
    "full": Effort(8, 6, 5, 3e-3, 5e-3, 1.5e-3),
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
    results.refused = refusals(results.doors, results.machine)
    if results.wrong or results.refused or options.check:
        return
    if "even" in options.kernel and (reason := even.missing(Path(folder))):
        results.absent["break-even"] = reason
    if "probes" in options.kernel:
        _count(options, results, folder, progress)
    _time(options, results, EFFORTS[options.effort], folder, progress)
    if "beyond" in options.kernel:
        bar = progress.add_task("beyond the call", total=None)
        results.beyond = beyond.measure(
            results.open_doors,
            folder,
            options.effort,
            lambda what: progress.update(bar, description=f"beyond the call: {what}"),
        )
    results.model = {"break_even": break_even(results)}
    if "probes" in options.kernel and options.row == list(ALL):
        results.model["costs"] = prices = costs.fit(results)
        results.model["held_out"] = costs.held_out(results, prices)


def _count(options: argparse.Namespace, results: Results, folder: str, progress: Progress) -> None:
    bar = progress.add_task("counting instructions", total=None)
    if reason := instructions.available():
        results.absent["instructions"] = reason
    else:
        doors = [door for door in results.open_doors if door != "numpy"]
        results.instructions = instructions.count(
            doors, options.row, Path(folder), variants=options.effort == "full"
        )
    progress.remove_task(bar)


def _checks(options: argparse.Namespace, kernels: list[str]) -> Iterator[dict[str, Any]]:
    for name in options.only:
        yield {"do": "check_door", "name": name, "kernels": options.kernel, "rows": options.row}
    for kernel in kernels:
        for name in BASELINES[kernel]:
            yield {"do": "check_baseline", "kernel": kernel, "name": name}


def _time(
    options: argparse.Namespace, results: Results, effort: Effort, folder: str, progress: Progress
) -> None:
    kernels = [kernel for kernel in options.kernel if kernel != "beyond"]
    bar = progress.add_task("timing", total=None)
    common: dict[str, Any] = {"folder": folder, **effort._asdict()}
    everyone: dict[str, Any] = {
        "kernels": kernels,
        "doors": results.open_doors,
        "absent": list(results.absent),
        "rows": options.row,
    }
    numpy_alone: dict[str, Any] = {
        **{"kernels": ["matmul"], "doors": [], "rows": []},
        "absent": [BLAS, PEAK],
    }
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
