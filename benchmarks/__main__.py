"""`nox -s bench`: is every door right, and what does each cost?

Answers are checked before anything is timed, and a wrong one ends the run with exit code 1. Then
fresh processes take one sample each of everything; what is printed is the median over them.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import machine
import report
import storage
from baselines import BASELINES
from results import Results
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from run import run
from workers import WorkerFailed

import bindings

ROOT = Path(__file__).resolve().parents[1]
WIDTH = 100  # where there is no terminal to ask
KERNELS = ("probes", *BASELINES)


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line."""
    options = parse(arguments)
    console = Console()
    if not console.is_terminal:
        console.width = WIDTH
    started = time.monotonic()
    results = Results(machine=machine.facts())
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with (
        TemporaryDirectory(prefix="bench-") as folder,
        Progress(*columns, TimeElapsedColumn(), console=console, transient=True) as progress,
    ):
        quiet = machine.Quiet()
        try:
            run(options, results, folder, progress)
        except WorkerFailed as failure:
            console.print(f"bench failed: {failure}", style="red", markup=False, highlight=False)
            return 2
        results.noise = quiet.report()
    if results.wrong:
        for complaint in results.wrong:
            console.print(f"wrong: {complaint}", style="red", markup=False, highlight=False)
        console.print("Nothing was timed: what is wrong has no speed.")
        return 1
    console.print(f"[bold]ffi-cookbook bench[/] · {report.headline(results)}", highlight=False)
    report.show(results, options.kernel, console)
    paths = storage.save(results, options.kernel, options.folder)
    saved = " and ".join(str(path) for path in paths)
    console.print(f"saved {saved} ({time.monotonic() - started:.0f} s)", highlight=False)
    return 0


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The options."""
    parser = argparse.ArgumentParser(prog="bench", description=__doc__.split("\n")[0])
    choices = ("--only", bindings.names(), "doors"), ("--kernel", KERNELS, "kernels")
    for option, known, what in choices:
        parser.add_argument(
            option,
            action="extend",
            type=lambda text, known=known: _known(text, known),
            metavar="A,B",
            help=f"only these {what}, of {', '.join(known)}",
        )
    parser.add_argument("--quick", action="store_true", help="fewer and shorter looks")
    parser.add_argument("--folder", type=Path, default=ROOT, help="where to save")
    options = parser.parse_args(arguments)
    options.only = [name for name in bindings.names() if name in (options.only or bindings.names())]
    options.kernel = [name for name in KERNELS if name in (options.kernel or KERNELS)]
    return options


def _known(text: str, known: Sequence[str]) -> list[str]:
    names = text.split(",")
    if unknown := set(names).difference(known):
        raise argparse.ArgumentTypeError(f"{', '.join(unknown)}: choose from {', '.join(known)}")
    return names


if __name__ == "__main__":
    sys.exit(main())
