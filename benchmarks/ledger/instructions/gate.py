"""`python -m benchmarks gate check`: fail if a call takes more instructions than before.

check      count, compare with the baseline; exit code 1 if a call takes more, 2 if that cannot be
           said: other versions, or cells that only one side has
record     count, and write the baseline
count      count, and print the counts; with --times, in several layouts of memory
"""

from __future__ import annotations

import argparse
import json
import platform
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

import ffi_cookbook
from benchmarks.core import machine
from benchmarks.core.pages import replace
from benchmarks.ledger.compare import unlike
from benchmarks.ledger.instructions.counting import Cells, available, count, unshuffled

BASELINE = Path(__file__).with_name("baseline.json")
TOLERANCE = 0.01
FLOOR = 0.5  # of an instruction
LAYOUTS = range(3)
MORE_LAYOUTS = range(1, 7)  # for cells that seem to have changed, at other addresses
Cell = tuple[str, str]
"""A row and a contender."""
Counts = Mapping[Cell, float]
"""The instructions of a call, net."""
Counter = Callable[[Sequence[str], int, Sequence[str] | None], Counts]
Baseline = Mapping[Cell, list[float]]
"""The same in one layout of memory after the other. Some cells depend on where things lie: known
causes are tables of objects by address (pybind11, nanobind), and two names that evict each other
from the cache of Python's methods (some 400 instructions a call). What even the same layout varies
is Rust's HashMap, which salts its hashes: by a tenth of a percent."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line."""
    options = parse(arguments)
    if reason := available():
        print(f"cannot count: {reason}")
        return 2
    if not unshuffled():
        print("addresses are randomised (setarch -R is refused): counts may vary a little")
    asked = options.only or ffi_cookbook.names()
    backends = _open_backends(asked)
    if options.do == "check" and len(backends) < len(asked):
        return 2

    def counted(names: Sequence[str], layout: int, rows: Sequence[str] | None) -> Counts:
        with TemporaryDirectory(prefix="count-") as folder:
            return nets(count(names, rows or options.row, Path(folder), layout))

    known = versions({name: backend.about() for name, backend in backends.items()})
    if options.do == "check":
        then = json.loads(options.baseline.read_text("utf-8"))
        differing = [*unlike(then["versions"], known, known)]
        print(*(f"not the baseline's tools: {version}" for version in differing), sep="\n")
        if options.other_tools_pass and differing:
            print("nothing is compared: `gate record` writes a new baseline")
            return 0
        kept = {
            (row, contender): counts
            for (row, contender), counts in read(then["cells"]).items()
            if contender.partition(" ")[0] in backends and row in (options.row or (row,))
        }
        found = check(counted, list(backends), kept)
        return 2 if differing else found
    layouts = LAYOUTS if options.do == "record" else range(options.times)
    taken = [counted(list(backends), layout, None) for layout in layouts]
    cells = {cell: [counts[cell] for counts in taken] for cell in taken[0]}
    if options.do == "record":
        save(known, cells, options.baseline)
    for (row, contender), counts in cells.items() if options.do == "count" else ():
        print(f"{row} [{contender}]: {', '.join(map(str, counts))}")
    return 0


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Parse the options."""
    parser = argparse.ArgumentParser(
        prog="gate", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    add = parser.add_argument
    add("do", choices=("check", "record", "count"))
    for option, what in (("--only", "backends"), ("--row", "rows")):
        add(option, type=lambda text: text.split(","), metavar="A,B", help=f"only these {what}")
    add("--baseline", type=Path, default=BASELINE, help="another than the kept one")
    others = "check: compare nothing and pass where the tools' versions are not the baseline's"
    add("--other-tools-pass", action="store_true", help=others)
    add("--times", type=int, default=1, help="count in this many memory layouts")
    return parser.parse_args(arguments)


def check(counted: Counter, backends: Sequence[str], kept: Baseline) -> int:
    """Print what changed, and return the exit code.

    A cell that has changed in one layout of memory is counted in others too, as long as it has
    changed in all of them.
    """
    layouts = [counted(backends, 0, None)]
    changes = verdicts(layouts, kept)
    for layout in MORE_LAYOUTS:
        if not changes:
            break
        rows = sorted({row for row, _ in changes})
        suspects = sorted({contender.partition(" ")[0] for _, contender in changes})
        layouts.append(counted(suspects, layout, rows))
        found = verdicts(layouts, kept)
        changes = {cell: found[cell] for cell in changes if cell in found}
    apart = sorted(layouts[0].keys() ^ kept.keys())
    for row, contender in apart:
        print(f"on one side only: {row} [{contender}]")
    for (row, contender), (before, after) in changes.items():
        more = f"{after / before - 1:+.1%}" if before else "it took none"
        print(f"{row} [{contender}]: {before:,.4g} → {after:,.4g} instructions ({more})")
    print(f"{len(changes)} cells changed by {TOLERANCE:.0%} or more")
    if apart:
        print("nothing can be said: `gate record` writes a new baseline")
        return 2
    return int(any(after > before for before, after in changes.values()))


def _open_backends(names: Sequence[str]) -> dict[str, Any]:
    backends: dict[str, Any] = {}
    for name in names:
        try:
            backends[name] = ffi_cookbook.load(name)
        except ffi_cookbook.BackendUnavailable as unavailable:
            print(f"not counted: {unavailable}")
    return backends


def verdicts(layouts: Sequence[Counts], kept: Baseline) -> dict[Cell, tuple[float, float]]:
    """Return the cells that changed by the tolerance or more: the old and the new count.

    Both the least and the most of the counts in these layouts of memory, the baseline's first ones,
    must change in the same direction: a change that trades one layout for another does not count.
    """
    changes = {}
    for cell, before in kept.items():
        if after := [counts[cell] for counts in layouts if cell in counts]:
            then = before[: len(layouts)]
            moved = {_moved(end(then), end(after)) for end in (min, max)}
            if moved in ({1}, {-1}):
                changes[cell] = before[0], after[0]
    return changes


def _moved(before: float, after: float) -> int:
    least = max(FLOOR, TOLERANCE * before - 1e-9)
    return int(after - before >= least) - int(before - after >= least)


def versions(abouts: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    """Return the versions on which counts depend; `abouts` has each binding's facts."""
    valgrind = subprocess.run(["valgrind", "--version"], capture_output=True, text=True, check=True)
    return {
        "interpreter": f"{platform.python_version()}, {platform.python_compiler()}",
        "its build": machine.python_build(),
        "numpy": np.__version__,
        "libc": " ".join(platform.libc_ver()),
        "valgrind": valgrind.stdout.strip(),
        "cpu": platform.machine() + (" with AVX2" if " avx2 " in machine.cpuinfo("flags") else ""),
        **{
            f"{backend} binding": f"{about['technology']}, {about['compiler']}"
            for backend, about in abouts.items()
        },
    }


def nets(cells: Cells) -> dict[Cell, float]:
    """Return the net counts, without functions that scan strings.

    The distance of strings from the end of a page differs from build to build.
    """
    return {
        (row, contender): round(cell["instructions"] - cell["scan"], 4)
        for row, contenders in cells.items()
        for contender, cell in contenders.items()
    }


def read(rows: Mapping[str, Mapping[str, float | list[float]]]) -> dict[Cell, list[float]]:
    """Return the cells of a baseline's file, where equal counts are one number."""
    return {
        (row, contender): counts if isinstance(counts, list) else [counts] * len(LAYOUTS)
        for row, contenders in rows.items()
        for contender, counts in contenders.items()
    }


def save(known: Mapping[str, str], cells: Baseline, path: Path) -> None:
    """Write a baseline, one line for each row, so that a diff of two is readable."""
    rows: dict[str, dict[str, Any]] = {}
    for (row, contender), counts in cells.items():
        rows.setdefault(row, {})[contender] = counts if len(set(counts)) > 1 else counts[0]
    lines = [f"  {json.dumps(row)}: {json.dumps(of)}" for row, of in rows.items()]
    head = json.dumps({"versions": known}, indent=1).removesuffix("\n}")
    replace(path, f'{head},\n "cells": {{\n' + ",\n".join(lines) + "\n }\n}\n")
