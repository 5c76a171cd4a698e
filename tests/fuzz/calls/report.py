"""Compare the rows of all bindings, and report one case of each kind of fault."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from .agree import BAD, fault
from .parent import Run
from .statuses import STATUSES


def faulty(rows: Mapping[str, Any], first: int) -> list[tuple[int, str]]:
    """Return the number of each case that shows a fault, and the fault."""
    names = list(rows)
    table = np.stack([rows[name] for name in names])
    same = np.ones(table.shape[1], bool)
    for field in ("status", "trace", "text"):
        same &= (table[field] == table[field][0]).all(axis=0)
    bad = [STATUSES.index(status) for status in BAD]
    suspects = np.flatnonzero(~same | np.isin(table["status"], bad).any(axis=0))
    found = []
    for at in suspects.tolist():
        column = table[:, at]
        outcomes = {
            name: (STATUSES[row["status"]], int(row["text"]), int(row["trace"]))
            for name, row in zip(names, column, strict=True)
        }
        if what := fault(outcomes, int(column["n"].max()), bool(column["lies"].any())):
            found.append((first + at, what))
    return found


def report(run: Run, rows: Mapping[str, Any], first: int) -> int:
    """For each kind of fault, print the case that has the fewest corrupted arguments.

    `child.py --case N --mask M` leaves out some of its corruptions. Return the number of faulty
    cases.
    """
    cases = faulty(rows, first)
    kinds: dict[Any, list[int]] = {}
    for number, what in cases:
        ends = tuple(int(rows[name]["status"][number - first]) for name in rows)
        kinds.setdefault((what, ends), []).append(number)
    corrupted = np.max([found["n"] for found in rows.values()], axis=0)
    for (what, _), numbers in sorted(kinds.items(), key=lambda kind: -len(kind[1])):
        number = min(numbers, key=lambda number: corrupted[number - first])
        shown = {name: run.show(name, number) for name in rows}
        print(f"\n{len(numbers)} like case {number}: {what}\n{next(iter(shown.values()))[0]}")
        for name, (_, end) in shown.items():
            print(f"    {name}: {end[:200]}")
    print(f"\n{len(cases)} faulty cases of {len(kinds)} kinds")
    return len(cases)
