"""`nox -s bench`: check that every binding is right, and measure its costs.

Answers are checked before anything is timed: a wrong answer, a build that cannot be trusted, or a
run to compare with that is missing or of another machine, ends the run with exit code 2. Then new
processes take samples of every call, and the ledger is printed; callgrind counts instructions, and
other processes time the kernels.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from tempfile import TemporaryDirectory

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from benchmarks.core import machine
from benchmarks.core.process import WorkerFailed
from benchmarks.docs import splice
from benchmarks.ledger import compare, storage
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
        then = storage.load(options.compare, options.folder) if options.compare else None
        if then is not None:
            compare.refuse(then, machine.facts())
        storage.prepared(options.folder)
        results = measured(options, console)
    except (WorkerFailed, OSError, ImportError, ValueError) as failure:
        console.print(f"bench failed: {failure}", style="red", markup=False)
        return 2
    complaints = [f"wrong: {one}" for one in results.wrong]
    complaints += [f"refused: {one}" for one in results.refused]
    if complaints:
        for complaint in complaints:
            console.print(complaint, style="red", markup=False)
        console.print("Nothing is published.")
        return 2
    if options.check:
        checked = number(len(results.open_backends), "binding")
        console.print(f"{checked} checked, nothing timed")
        return 0
    show(results, options.kernel, options.all, console)
    document = storage.as_json(results)
    paths = storage.save(results, document, options)
    if then is not None:
        console.print(f"\n[bold]Against {options.compare}[/]:")
        console.print("\n".join(compare.lines(then, document)), markup=False)
    saved = " and ".join(str(path) for path in paths)
    console.print(f"saved {saved} ({time.monotonic() - started:.0f} s)")
    if options.publish:
        try:
            splice.publish(paths[0])
        except splice.Incomplete as failure:
            console.print(f"not published: {failure}", style="red", markup=False)
            return 2
    return 0


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
