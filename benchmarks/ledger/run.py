"""The steps of a run: make the inputs, check every answer, then take the samples."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from rich.progress import Progress

import ffi_cookbook
from benchmarks.core import machine
from benchmarks.core.process import WorkerFailed, answer
from benchmarks.ledger import beyond, costs, empty, sampling
from benchmarks.ledger.baselines import BASELINES
from benchmarks.ledger.calls import APART
from benchmarks.ledger.instructions.counting import available, count
from benchmarks.ledger.limits import impossible
from benchmarks.ledger.results import Results
from benchmarks.ledger.rows import ALL
from benchmarks.trust.refusals import refusals

CALLS, COUNTS, KERNELS, BEYOND = "calls", "instructions", "kernels", "beyond the call"


class Steps:
    """One line on the terminal: the current step, its progress, and the remaining steps."""

    def __init__(self, progress: Progress, names: list[str]) -> None:
        self._progress, self._names = progress, names
        self._bar = progress.add_task("", total=None)

    def begin(self, name: str, total: float | None = None, detail: str = "") -> None:
        """Show the next step."""
        rest = ", ".join(self._names[self._names.index(name) + 1 :])
        line = f"{name}{detail}" + (f"; remaining: {rest}" if rest else "")
        self._progress.reset(self._bar, total=total, description=line)
        if not self._progress.console.is_terminal:
            self._progress.console.print(f"measuring {line}", style="dim")

    def advance(self) -> None:
        """Show that one more part of the step is done."""
        self._progress.advance(self._bar)


def run(
    options: argparse.Namespace,
    results: Results,
    folder: str,
    progress: Progress,
    ledger: Callable[[], object],
) -> None:
    """Check everything, then time what is right; call `ledger` once the calls are timed."""
    kernels = [kernel for kernel in options.kernel if kernel in BASELINES]
    checks = list(_checks(options, kernels))
    wanted = {
        "answers": True,
        CALLS: "patterns" in options.kernel,
        COUNTS: "patterns" in options.kernel,
        KERNELS: bool(kernels),
        BEYOND: "beyond" in options.kernel,
    }
    steps = Steps(progress, [name for name in wanted if wanted[name]])
    steps.begin("answers", 1 + len(checks))
    empty.build(Path(folder))
    try:
        results.inputs = answer("prepare", folder=folder, quick=options.effort == "quick")
    except WorkerFailed as failure:  # a binding used here may be broken: the checks say which
        results.wrong.append(f"inputs: {failure}")
    steps.advance()

    def check(job: dict[str, Any]) -> dict[str, Any]:
        try:
            found: dict[str, Any] = answer(**job, folder=folder)
        except WorkerFailed as failure:
            found = {"wrong": [str(failure)]}
        steps.advance()
        return found

    def take(kernels: list[str], step: str) -> None:
        def begin(detail: str) -> None:
            steps.begin(step, detail=detail)

        sampling.take(results, options.effort, options.row, kernels, folder, begin)

    checks.sort(key=lambda job: job["name"] != APART)  # the longest first
    with ThreadPoolExecutor(machine.cores()) as pool:
        everything = list(pool.map(check, checks))
    for job, found in zip(checks, everything, strict=True):
        name = job["name"]
        results.wrong += [f"{name}: {complaint}" for complaint in found.pop("wrong", [])]
        if job["do"] == "check_backend":
            results.backends[name] = found
        elif "reason" in found:
            results.absent[name] = found["reason"]
    results.backends = {name: results.backends[name] for name in options.only}
    results.refused = refusals(results.backends, results.machine)
    if results.wrong or results.refused or options.check:
        return
    if wanted[CALLS]:
        take(["patterns"], CALLS)
        if results.refused:
            return
        ledger()
        _count(options, results, folder, steps)
    if wanted[KERNELS]:
        take(kernels, KERNELS)
        results.refused += impossible(results)
        if results.refused:
            return
    if wanted[BEYOND]:
        results.beyond = beyond.measure(
            [name for name in results.open_backends if name in ffi_cookbook.names()],
            folder,
            options.effort,
            lambda what: steps.begin(BEYOND, detail=f" ({what})"),
        )
    if wanted[CALLS] and options.row == list(ALL):
        results.model = costs.model(results)


def _count(options: argparse.Namespace, results: Results, folder: str, steps: Steps) -> None:
    steps.begin(COUNTS)
    backends = [backend for backend in results.open_backends if backend != "numpy"]
    if not backends:
        return
    if reason := available():
        results.absent["instructions"] = reason
        return
    if options.effort == "quick" and APART in backends[1:]:
        backends.remove(APART)
        reason = "--quick does not count them, since callgrind needs half a minute to import it"
        results.absent[f"{APART}'s instructions"] = reason
    try:
        full = options.effort == "full"
        results.count(count(backends, options.row, Path(folder), variants=full))
    except WorkerFailed as failure:
        results.absent["instructions"] = str(failure)


def _checks(options: argparse.Namespace, kernels: list[str]) -> Iterator[dict[str, Any]]:
    for name in options.only:
        yield {"do": "check_backend", "name": name, "kernels": options.kernel, "rows": options.row}
    for kernel in kernels:
        for name in BASELINES[kernel]:
            yield {"do": "check_baseline", "kernel": kernel, "name": name}
