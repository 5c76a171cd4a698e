"""`nox -s bench`: check that every binding is right, and measure its costs.

Answers are checked before anything is timed: a wrong answer, or a build that cannot be trusted,
ends the run with exit code 2. Then new processes take samples of every call, and the ledger is
printed; callgrind counts instructions, and other processes time the kernels. A gate that fails
gives exit code 1.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from tempfile import TemporaryDirectory
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from benchmarks.core import machine
from benchmarks.core.process import WorkerFailed
from benchmarks.docs import splice
from benchmarks.ledger import compare, instructions, storage
from benchmarks.ledger.instructions import flame
from benchmarks.ledger.options import parse
from benchmarks.ledger.results import Results
from benchmarks.ledger.run import run
from benchmarks.report.table import number
from benchmarks.report.terminal import ledger, show

WIDTH = 100  # where there is no terminal to ask


def main(arguments: Sequence[str] | None = None) -> int:
    """Run, print, save and compare."""
    options = parse(arguments)
    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = WIDTH
    started = time.monotonic()
    try:
        if options.flame:
            console.print(f"saved {flame.draw(options.flame, options.folder / 'bench')}")
            return 0
        then = compare.load(options.compare, options.folder) if options.compare else None
        uncounted = instructions.available() or "" if compare.needs_counts(options) else None
        works = compare.works(options)
        work: dict[str, Any] = {"effort": options.effort} if works else {}
        compare.refuse(then, machine.facts(), uncounted=uncounted, work=work)
        compare.refuse_uncounted(then, options)
        results = measured(options, console)
        work = {"inputs": results.inputs} if works and results.inputs else {}
        compare.refuse(then, results.machine, results.backends, work=work)
    except (WorkerFailed, FileNotFoundError, ImportError, compare.NotComparable) as failure:
        console.print(f"bench failed: {failure}", style="red", markup=False)
        return 2
    complaints = [f"wrong: {one}" for one in results.wrong]
    complaints += [f"refused: {one}" for one in results.refused]
    for complaint in complaints:
        console.print(complaint, style="red", markup=False)
    if complaints:
        console.print("Nothing is published.")
        return 2
    if options.check:
        checked = number(len(results.open_backends), "binding")
        console.print(f"{checked} checked, nothing timed")
        return 0
    show(results, options.kernel, options.all, console)
    document = storage.as_json(results)
    failed = compared(document, then, options, console) if then is not None else 0
    paths = storage.save(results, document, options)
    saved = " and ".join(str(path) for path in paths)
    console.print(f"saved {saved} ({time.monotonic() - started:.0f} s)")
    if options.publish:
        try:
            splice.publish(paths[1])
        except splice.Incomplete as failure:
            console.print(f"not published: {failure}", style="red", markup=False)
            return 2
    return failed


def measured(options: argparse.Namespace, console: Console) -> Results:
    """Do a whole run, behind a progress bar."""
    results = Results(effort=options.effort, machine=machine.facts())
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with (
        TemporaryDirectory(prefix="bench-") as folder,
        Progress(*columns, TimeElapsedColumn(), console=console, transient=True) as progress,
    ):
        quiet = machine.Quiet()
        results.noise = quiet.report()

        def first() -> None:
            results.noise = quiet.report()
            ledger(results, options.all, console)

        run(options, results, folder, progress, first)
        results.noise = quiet.report()
    return results


def compared(
    now: dict[str, Any], then: dict[str, Any], options: argparse.Namespace, console: Console
) -> int:
    """Print what changed since a saved run, and return the exit code.

    It is 1 if a gate stops the run, and 2 if a gate cannot tell: cells are gone, or the runs have
    no cell in common.
    """
    changes = compare.changes(now, then)
    stopped = {change for gate in options.gate for change in gate.stopped(changes)}
    changed = number(len(changes), "cell")
    console.print(f"\n[bold]Against {options.compare}[/]: {changed} changed")
    for change in sorted(changes, key=lambda one: -one.ratio):
        style = "red" if change in stopped else "green" if change.ratio < 1 else ""
        console.print(f" {'✗' if change in stopped else ' '} {change}", style=style, markup=False)
    if lone := compare.only_once(now, then):
        cells = number(len(lone), "cell")
        console.print(f" {cells} in one run only, such as {lone[0]}", markup=False)
    if options.gate and (gone := compare.gone(now, then, options)):
        console.print(f"the gate lacks {', '.join(gone)}", style="red", markup=False)
        return 2
    for gate in options.gate:
        if not compare.in_common(now, then, gate.instrument):
            said = f"the gate of {gate.instrument} has no cell in common with {options.compare}"
            console.print(said, style="red", markup=False)
            return 2
    return int(bool(stopped))
