"""`python -m benchmarks gate check`: fail if a call takes more instructions than before.

check      count, compare with the baseline; exit code 1 if a call takes more, 2 if that cannot be
           said: other versions, or cells that only one side has
record     count, and write the baseline
count      count, and print the counts; with --times, the cells that differ between several counts
"""

from __future__ import annotations

import argparse
import json
import platform
import subprocess
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np

import ffi_cookbook
from benchmarks.core import machine
from benchmarks.core.pages import replace
from benchmarks.ledger.instructions.counting import Cells, available, count, unshuffled

BASELINE = Path(__file__).with_name("baseline.json")
TOLERANCE = 0.01
FLOOR = 0.5  # of an instruction
LAYOUTS = range(3)
MORE_LAYOUTS = range(1, 7)  # for cells that seem to have changed, at other addresses
Counts = Mapping[str, Mapping[str, float]]
"""By row and contender, the instructions of a call, net."""
Counter = Callable[[Sequence[str], int, Sequence[str] | None], Counts]
Baseline = Mapping[str, Mapping[str, float | list[float]]]
"""The same of a baseline. A list is of a cell that depends on where things lie in memory: its
counts in one layout after the other. Known causes are tables of objects by address (pybind11,
nanobind), and two names that evict each other from the cache of Python's methods (some 400
instructions a call). What even the same layout varies is Rust's HashMap, which salts its hashes: by
a tenth of a percent."""


class Change(NamedTuple):
    """One cell that has changed."""

    group: str
    contender: str
    before: float
    after: float

    @property
    def ratio(self) -> float:
        """Return the ratio of the new count to the old one."""
        return self.after / self.before if self.before else float("inf")

    def __str__(self) -> str:
        return (
            f"{self.group} [{self.contender}]: {self.before:,.4g} → {self.after:,.4g} "
            f"instructions ({self.ratio - 1:+.1%})"
        )


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
        then["cells"] = part(then["cells"], backends, options.row)
        if options.other_tools_pass and (differing := matches(known, then["versions"])):
            print(*(f"not the baseline's tools: {version}" for version in differing), sep="\n")
            print("nothing is compared: `gate record` writes a new baseline")
            return 0
        return check(counted, list(backends), known, then)
    layouts = LAYOUTS if options.do == "record" else range(options.times)
    cells = together([counted(list(backends), layout, None) for layout in layouts])
    if options.do == "record":
        save({"versions": known, "cells": cells}, options.baseline)
    for row, contenders in cells.items() if options.do == "count" else ():
        for contender, counts in contenders.items():
            print(f"{row} [{contender}]: {counts}")
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


def check(
    counted: Counter, backends: Sequence[str], known: Mapping[str, str], then: Mapping[str, Any]
) -> int:
    """Print what changed.

    A cell that has changed in one layout of memory is counted in others too, as long as it has
    changed in all of them.
    """
    layouts = [counted(backends, 0, None)]
    changes = verdicts(layouts, then["cells"])
    for layout in MORE_LAYOUTS:
        if not changes:
            break
        rows = sorted({change.group for change in changes})
        suspects = sorted({change.contender.partition(" ")[0] for change in changes})
        layouts.append(counted(suspects, layout, rows))
        still = {(change.group, change.contender) for change in changes}
        found = verdicts(layouts, then["cells"])
        changes = [change for change in found if (change.group, change.contender) in still]
    differing = matches(known, then["versions"])
    apart = lone(layouts[0], then["cells"])
    for cell in apart:
        print(f"on one side only: {cell}")
    for version in differing:
        print(f"not the baseline's tools: {version}")
    for change in changes:
        print(change)
    print(f"{len(changes)} cells changed by {TOLERANCE:.0%} or more")
    if differing or apart:
        print("nothing can be said: `gate record` writes a new baseline")
        return 2
    return int(any(change.ratio > 1 for change in changes))


def _open_backends(names: Sequence[str]) -> dict[str, Any]:
    backends: dict[str, Any] = {}
    for name in names:
        try:
            backends[name] = ffi_cookbook.load(name)
        except ffi_cookbook.BackendUnavailable as unavailable:
            print(f"not counted: {unavailable}")
    return backends


def verdicts(
    layouts: Sequence[Counts], then: Baseline, tolerance: float = TOLERANCE
) -> list[Change]:
    """Return the cells that changed by the tolerance or more.

    Both the least and the most of the counts in these layouts of memory, the baseline's first ones,
    must change in the same direction: a change that trades one layout for another does not count.
    """
    changes = []
    for row, contenders in then.items():
        for contender, kept in contenders.items():
            after = [
                counts[row][contender] for counts in layouts if contender in counts.get(row, {})
            ]
            if not after:
                continue
            before = (kept if isinstance(kept, list) else [kept])[: len(layouts)]
            moved = {_moved(end(before), end(after), tolerance) for end in (min, max)}
            if moved in ({1}, {-1}):
                changes.append(Change(row, contender, before[0], after[0]))
    return changes


def _moved(before: float, after: float, tolerance: float) -> int:
    least = max(FLOOR, tolerance * before - 1e-9)
    return int(after - before >= least) - int(before - after >= least)


def lone(now: Baseline, then: Baseline) -> list[str]:
    """Return the cells of one side that the other lacks."""
    one, other = (
        {f"{row} [{contender}]" for row in side for contender in side[row]} for side in (now, then)
    )
    return sorted(one ^ other)


def part(counts: Baseline, backends: Collection[str], rows: Collection[str] | None) -> Baseline:
    """Return the cells of these bindings and rows."""
    return {
        row: {
            contender: count
            for contender, count in contenders.items()
            if contender.partition(" ")[0] in backends
        }
        for row, contenders in counts.items()
        if not rows or row in rows
    }


def versions(abouts: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    """Return the versions on which counts depend; `abouts` has each binding's facts."""
    valgrind = subprocess.run(["valgrind", "--version"], capture_output=True, text=True, check=True)
    return {
        "interpreter": f"{platform.python_version()}, {platform.python_compiler()}",
        "its build": machine.python_build(),
        "numpy": np.__version__,
        "libc": " ".join(platform.libc_ver()),
        "valgrind": valgrind.stdout.strip(),
        "cpu": platform.machine() + (" with AVX2" if "avx2" in _cpu_flags() else ""),
        **{
            f"{backend} binding": f"{about['technology']}, {about['compiler']}"
            for backend, about in abouts.items()
        },
    }


def matches(now: Mapping[str, str], then: Mapping[str, str]) -> list[str]:
    """Return the versions that both sides have and that differ."""
    return [
        f"{name}: {then[name]} then, {now[name]} now"
        for name in then
        if name in now and now[name] != then[name]
    ]


def nets(cells: Cells) -> dict[str, dict[str, float]]:
    """Return the net counts, without functions that scan strings.

    The distance of strings from the end of a page differs from build to build.
    """
    return {
        row: {
            contender: round(cell["instructions"] - cell["scan"], 4)
            for contender, cell in contenders.items()
        }
        for row, contenders in cells.items()
    }


def together(layouts: Sequence[Counts]) -> dict[str, dict[str, float | list[float]]]:
    """Return the content of a baseline, from counts in several memory layouts."""
    first, *_ = layouts
    seen = {
        (row, contender): [counts[row][contender] for counts in layouts]
        for row, contenders in first.items()
        for contender in contenders
    }
    return {
        row: {
            contender: counts[0] if len(set(counts)) == 1 else counts
            for contender in contenders
            for counts in [seen[row, contender]]
        }
        for row, contenders in first.items()
    }


def save(document: Mapping[str, Any], path: Path) -> None:
    """Write one line for each row, so that a diff of two baselines is readable."""
    parts = []
    for part, rows in document.items():
        lines = [f"  {json.dumps(row)}: {json.dumps(cells)}" for row, cells in rows.items()]
        parts.append(f" {json.dumps(part)}: {{\n" + ",\n".join(lines) + "\n }")
    replace(path, "{\n" + ",\n".join(parts) + "\n}\n")


def _cpu_flags() -> list[str]:
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    return next((line.split() for line in lines if line.startswith("flags")), [])
