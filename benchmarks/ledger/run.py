"""The steps of a run: make the inputs, check every answer, then take the samples."""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

from rich.progress import Progress

from benchmarks.core import machine
from benchmarks.core.process import WorkerFailed, answer, answers
from benchmarks.ledger import beyond, empty, instructions
from benchmarks.ledger.baselines import BASELINES, BLAS, CORE_TYPE, NUMPY_OWN, PEAK
from benchmarks.ledger.calls import APART, BRIDGE
from benchmarks.ledger.compare import needs_counts
from benchmarks.ledger.instructions.counting import DUMPS
from benchmarks.ledger.limits import impossible
from benchmarks.ledger.model import costs, even
from benchmarks.ledger.model.crossing import break_even
from benchmarks.ledger.results import FLOOR, Cell, Results
from benchmarks.ledger.rows import ALL
from benchmarks.ledger.worker import INTERPRETER
from benchmarks.trust.refusals import refusals, slowed


class Effort(NamedTuple):
    """The effort of a run."""

    processes: int
    """At most: after LEAST of them only what is not sure yet is timed again."""
    kernel_processes: int
    rounds: int
    kernel_rounds: int
    pattern_slice: float
    kernel_slice: float
    even_slice: float


EFFORTS = {
    "quick": Effort(3, 3, 3, 3, 3e-4, 2e-3, 1e-3),
    "usual": Effort(6, 4, 7, 4, 5e-4, 2e-3, 7e-4),
    "full": Effort(8, 8, 6, 5, 3e-3, 5e-3, 1.5e-3),
}
LEAST = 3  # processes
UNSURE = 0.1  # the share of uncertain contenders from which on a pattern or kernel is timed again
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
        KERNELS: bool(kernels) or "even" in options.kernel,
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

    with ThreadPoolExecutor(machine.cores()) as pool:
        everything = list(pool.map(check, checks))
    for job, found in zip(checks, everything, strict=True):
        name = job["name"]
        results.wrong += [f"{name}: {complaint}" for complaint in found.pop("wrong", [])]
        if job["do"] == "check_backend":
            results.backends[name] = found
        elif "reason" in found:
            results.absent[name] = found["reason"]
    results.refused = refusals(results.backends, results.machine)
    if results.wrong or results.refused or options.check:
        return
    if "even" in options.kernel and (reason := even.missing(Path(folder))):
        results.absent["break-even"] = reason
    if wanted[CALLS]:
        _time(options, results, ["patterns"], folder, steps)
        if results.refused:
            return
        ledger()
        _count(options, results, folder, steps)
    if wanted[KERNELS]:
        chosen = [kernel for kernel in options.kernel if kernel not in ("patterns", "beyond")]
        _time(options, results, chosen, folder, steps)
        results.refused += impossible(results)
        if results.refused:
            return
    if wanted[BEYOND]:
        results.beyond = beyond.measure(
            results.open_backends,
            folder,
            options.effort,
            lambda what: steps.begin(BEYOND, detail=f" ({what})"),
        )
    results.model = {"break_even": break_even(results)}
    if wanted[CALLS] and options.row == list(ALL):
        clocked, counted = costs.fit(results)
        results.model["costs"] = clocked
        results.model["held_out"] = costs.held_out(results, clocked, counted)


def _count(options: argparse.Namespace, results: Results, folder: str, steps: Steps) -> None:
    steps.begin(COUNTS)
    if reason := instructions.available():
        results.absent["instructions"] = reason
        return
    backends = [backend for backend in results.open_backends if backend != "numpy"]
    try:
        counts = instructions.count(
            backends,
            options.row,
            Path(folder),
            variants=options.effort == "full",
            simulate=options.effort == "full",
        )
    except WorkerFailed as failure:
        if needs_counts(options):
            raise
        results.absent["instructions"] = str(failure)
        return
    results.count(counts)
    kept = options.folder / "bench" / DUMPS
    kept.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(Path(folder) / DUMPS, kept)


def _checks(options: argparse.Namespace, kernels: list[str]) -> Iterator[dict[str, Any]]:
    for name in options.only:
        yield {"do": "check_backend", "name": name, "kernels": options.kernel, "rows": options.row}
    for kernel in kernels:
        for name in BASELINES[kernel]:
            yield {"do": "check_baseline", "kernel": kernel, "name": name}


def _time(
    options: argparse.Namespace, results: Results, kernels: list[str], folder: str, steps: Steps
) -> None:
    effort = EFFORTS[options.effort]
    common: dict[str, Any] = {"folder": folder, **effort._asdict()}
    numpy_alone: dict[str, Any] = {
        **{"kernels": ["matmul"], "backends": [], "rows": []},
        "absent": [BLAS, PEAK],
    }
    rows, calls = options.row, kernels == ["patterns"]
    most = effort.processes if calls else effort.kernel_processes
    for number in range(most):
        if number >= LEAST:
            rows = [row for row in rows if _unsure(results, f"pattern {row}")]
            kernels = [one for one in kernels if one == "patterns" or _unsure(results, one)]
        if not kernels or (kernels == ["patterns"] and not rows):
            return
        name = CALLS if calls else KERNELS
        steps.begin(name, detail=f", process {number + 1} of at most {most}")
        for backends, absent, mark in _crews(results):
            job: dict[str, Any] = {"backends": backends, "absent": absent, "rows": rows}
            for group, samples in answers("sample", kernels=kernels, **job, **common):
                if group == INTERPRETER:
                    results.refused += slowed(backends, samples)
                    continue
                results.add(
                    group,
                    {
                        one if one.partition(" ")[0] == APART else one + mark: sample
                        for one, sample in samples.items()
                    },
                )
        if "matmul" in kernels and machine.has_avx512():
            for group, samples in answers("sample", CORE_TYPE, **numpy_alone, **common):
                if group != INTERPRETER:
                    (sample,) = samples.values()
                    results.add(group, {NUMPY_OWN: sample})
        if results.refused:
            return


def _crews(results: Results) -> Iterator[tuple[list[str], list[str], str]]:
    """Yield the bindings that share a process, the libraries that are not in it, and a mark.

    The mark is for bindings that are timed in another process too.
    """
    backends = results.open_backends
    if together := [backend for backend in backends if backend != APART]:
        yield together, list(results.absent), ""
    if APART in backends:
        libraries = [name for of_kernel in BASELINES.values() for name in of_kernel]
        yield [backend for backend in backends if backend in (FLOOR, APART)], libraries, BRIDGE


def _unsure(results: Results, group: str) -> bool:
    """Return True if too many contenders of a pattern, or of a kernel's groups, are uncertain."""
    cells: Collection[Cell] = [
        cell
        for name, contenders in results.cells.items()
        if name == group or name.startswith(f"{group} ")
        for cell in contenders.values()
    ]
    return sum(not cell.sure for cell in cells) > UNSURE * len(cells)
