"""`nox -s bench`: check that every binding is right, and measure its costs.

Answers are checked before anything is timed: a wrong answer, a build that cannot be trusted, or a
run to compare with that is missing or of another machine, ends the run with exit code 2. Then new
processes take samples of every call, and the ledger is printed; callgrind counts instructions, and
other processes time the kernels.
"""

from __future__ import annotations

import argparse
import re
import time
from collections.abc import Collection, Sequence
from pathlib import Path

from rich.console import Console

import ffi_cookbook
from benchmarks import ROOT
from benchmarks.core import machine
from benchmarks.core.process import WorkerFailed
from benchmarks.docs import splice
from benchmarks.ledger import compare, storage
from benchmarks.ledger.baselines import BASELINES
from benchmarks.ledger.outside import admit
from benchmarks.ledger.rows import ALL
from benchmarks.ledger.run import measured
from benchmarks.report.tables import number
from benchmarks.report.terminal import show

WIDTH = 100  # where there is no terminal to ask
KERNELS = ("patterns", *BASELINES)
CHOICES = {"only": ffi_cookbook.names(), "kernel": KERNELS, "row": tuple(ALL)}


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """Parse the options."""
    description = "Is every binding right, and what does each cost?"
    parser = argparse.ArgumentParser(prog="benchmarks run", description=description)
    add = parser.add_argument
    for name, known in CHOICES.items():
        add(
            f"--{name}",
            action="extend",
            type=lambda text, known=known: _known(text, known),
            metavar="A,B",
            help=f"only these of {', '.join(known)}",
        )
    mine = "check and time a module of your own too, with functions of the protocol"
    add("--binding", action="append", metavar="PATH", default=[], help=mine)
    full = "what is published: more samples, all variants, all sizes of matmul"
    add("--full", dest="effort", action="store_const", const="full", default="usual", help=full)
    add("--check", action="store_true", help="check everything, time nothing")
    add("--save", type=_name, metavar="NAME", default=storage.LATEST, help="name the run")
    add("--compare", metavar="NAME", help="with a run saved before, or a file")
    add("--all", action="store_true", help="print every table, not one screen")
    add("--publish", action="store_true", help="take the run into README and docs")
    add("--folder", type=Path, default=ROOT, help="where to save")
    options = parser.parse_args(arguments)
    parts = options.only or options.kernel or options.row or options.binding
    if options.publish and (parts or options.effort != "full" or options.check):
        parser.error("--publish needs --full, without --only, --kernel and --row")
    options.all |= bool(options.kernel or options.row)
    for name, known in CHOICES.items():
        chosen = getattr(options, name) or known
        setattr(options, name, [one for one in known if one in chosen])
    options.only += map(admit, options.binding)
    return options


def _known(text: str, known: Collection[str]) -> list[str]:
    names = text.split(",")
    if unknown := set(names).difference(known):
        raise argparse.ArgumentTypeError(f"{', '.join(unknown)}: choose from {', '.join(known)}")
    return names


def _name(text: str) -> str:
    if not re.fullmatch(r"[\w.-]+", text, re.ASCII):
        raise argparse.ArgumentTypeError(f"{text}: use letters, digits, -, _ and .")
    return text


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
        for complaint in [*complaints, "Nothing is published."]:
            console.print(complaint, style="red", markup=False)
        return 2
    if options.check:
        checked = number(len(results.open_backends), "binding")
        console.print(f"{checked} checked, nothing timed")
        return 0
    show(results, options.kernel, options.all, console)
    document = storage.as_json(results)
    paths = storage.save(results, document, options.folder, options.save)
    if then is not None:
        console.print(f"\n[bold]Against {options.compare}[/]:")
        console.print("\n".join(compare.lines(then, document)), markup=False)
    saved = " and ".join(map(str, paths))
    console.print(f"saved {saved} ({time.monotonic() - started:.0f} s)")
    if options.publish:
        try:
            splice.publish(paths[0])
        except splice.Incomplete as failure:
            console.print(f"not published: {failure}", style="red", markup=False)
            return 2
    return 0
