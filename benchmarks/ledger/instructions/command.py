"""`python -m benchmarks gate check`: fail if a call takes more instructions than before.

check      count, compare with the baseline; exit code 1 if a call takes more, 2 if that cannot be
           said: other versions, or cells that only one side has
record     count, and write the baseline
count      count, and print the counts; with --times, the cells that differ between several counts
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import ffi_cookbook
from benchmarks.ledger.instructions.counting import available, count, unshuffled
from benchmarks.ledger.instructions.gate import (
    BASELINE,
    TOLERANCE,
    Change,
    Counts,
    lone,
    matches,
    nets,
    part,
    save,
    together,
    verdicts,
    versions,
)

LAYOUTS = range(3)
MORE_LAYOUTS = range(1, 7)  # for cells that seem to have changed, at other addresses
Counter = Callable[[Sequence[str], int, Sequence[str] | None], Counts]


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
        return 0
    for row, contenders in cells.items():
        for contender, counts in contenders.items():
            print(f"{row} [{contender}]: {counts}")
    return 0


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Parse the options."""
    parser = argparse.ArgumentParser(
        prog="gate", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("do", choices=("check", "record", "count"))
    for option, what in (("--only", "backends"), ("--row", "rows")):
        parser.add_argument(
            option, type=lambda text: text.split(","), metavar="A,B", help=f"only these {what}"
        )
    parser.add_argument("--baseline", type=Path, default=BASELINE, help="another than the kept one")
    parser.add_argument(
        "--other-tools-pass",
        action="store_true",
        help="check: compare nothing and pass where the tools' versions are not the baseline's",
    )
    parser.add_argument("--times", type=int, default=1, help="count in this many memory layouts")
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
        changes = verdicts(layouts, _cells(changes, then["cells"]))
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


def _cells(changes: Sequence[Change], then: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the part of a baseline with these cells."""
    found: dict[str, dict[str, Any]] = {}
    for change in changes:
        found.setdefault(change.group, {})[change.contender] = then[change.group][change.contender]
    return found


def _open_backends(names: Sequence[str]) -> dict[str, Any]:
    backends: dict[str, Any] = {}
    for name in names:
        try:
            backends[name] = ffi_cookbook.load(name)
        except ffi_cookbook.BackendUnavailable as unavailable:
            print(f"not counted: {unavailable}")
    return backends
