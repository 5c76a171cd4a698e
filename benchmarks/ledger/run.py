"""The steps of a run: make the inputs, check every answer, then take the samples."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from rich.console import Console

from benchmarks.core import machine
from benchmarks.core.process import WorkerFailed, answer
from benchmarks.ledger import costs, empty, sampling
from benchmarks.ledger.baselines import BASELINES
from benchmarks.ledger.calls import APART
from benchmarks.ledger.instructions.counting import available, count
from benchmarks.ledger.results import Results
from benchmarks.ledger.rows import ALL
from benchmarks.report.terminal import ledger
from benchmarks.trust.refusals import refusals


def measured(options: argparse.Namespace, console: Console) -> Results:
    """Check everything, then time what is right; print the ledger once the calls are timed."""
    results = Results(effort=options.effort, machine=machine.facts())
    quiet, started = machine.Quiet(), time.monotonic()
    with TemporaryDirectory(prefix="bench-") as folder, console.status("") as status:

        def begin(step: str, detail: str = "") -> None:
            status.update(f"{step}{detail}")
            if not console.is_terminal:
                seconds = time.monotonic() - started
                console.print(f"{seconds:4.0f} s: measuring {step}{detail}", style="dim")

        def take(kernels: list[str], step: str) -> bool:
            job = {"folder": folder, "rows": options.row, "kernels": kernels}
            job["brief"] = options.effort == "usual" and not options.all
            effort = sampling.EFFORTS[options.effort]
            sampling.take(results, job, effort, lambda detail: begin(step, detail))
            results.noise = quiet.report()
            return not results.refused

        begin("answers")
        empty.build(Path(folder))
        _check(options, results, folder)
        if results.wrong or results.refused or options.check:
            return results
        calls = "patterns" in options.kernel
        kernels = [one for one in options.kernel if one in BASELINES]
        if calls:
            if not take(["patterns"], "calls"):
                return results
            ledger(results, options.all, console)
            begin("instructions")
            _count(options, results, folder)
        if kernels and not take(kernels, "kernels"):
            return results
        if calls and options.row == list(ALL):
            results.model = costs.model(results)
    results.noise = quiet.report()
    return results


def _check(options: argparse.Namespace, results: Results, folder: str) -> None:
    """Make the inputs, and take every binding's facts and wrong answers."""
    try:
        results.inputs = answer("prepare", folder=folder, full=options.effort == "full")
    except WorkerFailed as failure:  # a binding used here may be broken: the checks say which
        results.wrong.append(f"inputs: {failure}")

    def check(job: dict[str, Any]) -> dict[str, Any]:
        try:
            found: dict[str, Any] = answer(**job, folder=folder)
        except WorkerFailed as failure:
            found = {"wrong": [str(failure)]}
        return found

    checks = sorted(_checks(options), key=lambda job: job["name"] != APART)  # the longest first
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


def _checks(options: argparse.Namespace) -> Iterator[dict[str, Any]]:
    for name in options.only:
        yield {"do": "check_backend", "name": name, "kernels": options.kernel, "rows": options.row}
    for kernel in options.kernel:
        for name in BASELINES.get(kernel, ()):
            yield {"do": "check_baseline", "kernel": kernel, "name": name}


def _count(options: argparse.Namespace, results: Results, folder: str) -> None:
    backends = [backend for backend in results.open_backends if backend != "numpy"]
    if not backends:
        return
    if reason := available():
        results.absent["instructions"] = reason
        return
    full = options.effort == "full"
    if not full and APART in backends[1:]:
        backends.remove(APART)
        reason = "--full counts them: callgrind needs half a minute to import it"
        results.absent[f"{APART}'s instructions"] = reason
    try:
        results.count(count(backends, options.row, Path(folder), brief=not full))
    except WorkerFailed as failure:
        results.absent["instructions"] = str(failure)
