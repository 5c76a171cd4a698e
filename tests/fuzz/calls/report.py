"""Compare the rows of all bindings, and report the smallest case of each kind of fault."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any

import numpy as np

from .agree import fault
from .parent import Run
from .statuses import STATUSES

MOST = 20  # the most faults that are examined closely, among those that end alike in every binding


def faulty(rows: Mapping[str, Any], first: int) -> list[tuple[int, str]]:
    """Return the number of each case that shows a fault, and the fault."""
    names = list(rows)
    table = np.stack([rows[name] for name in names])
    same = np.ones(table.shape[1], bool)
    for field in ("status", "trace", "text"):
        same &= (table[field] == table[field][0]).all(axis=0)
    bad = [STATUSES.index(status) for status in ("crash", "hang", "damage", "swallowed", "stray")]
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
    """Print each kind of fault once, with its smallest case; return the number of faulty cases."""
    cases = faulty(rows, first)
    masks = [7, 1, 2, 4, 3, 5, 6]
    alike: dict[Any, list[int]] = {}
    for number, what in cases:
        ends = tuple(int(rows[name]["status"][number - first]) for name in rows)
        alike.setdefault((what, ends), []).append(number)
    looked_at = sorted(number for numbers in alike.values() for number in numbers[:MOST])
    wanted = list(itertools.product(looked_at, masks))
    explained = {name: run.explain(name, wanted) for name in rows}
    kinds: dict[Any, list[str]] = {}
    for number in looked_at:
        best = None
        for mask in masks:
            seen = {
                name: it[number, mask] for name, it in explained.items() if (number, mask) in it
            }
            if not seen:
                continue
            head = next(iter(seen.values()))[0]
            n = len([text for text in head[4] if not text.startswith("  ")])
            outcomes = {name: tuple(v[:3]) for name, (_, v) in seen.items()}
            lies = any(v[4] for _, v in seen.values())
            what = fault(outcomes, n, lies)  # type: ignore[arg-type]
            if what and (best is None or n < best[0]):
                best = (n, what, mask, head, outcomes)
        if best is None:
            kinds.setdefault(("not reproduced alone", dict(cases)[number]), []).append(
                f"case {number}: {dict(cases)[number]}, but not alone"
            )
            continue
        n, what, mask, head, outcomes = best
        by = {}
        for name, outcome in outcomes.items():
            if outcome[0] not in ("absent", "none"):
                by.setdefault(outcome, []).append(name)
        texts = tuple(text for text in head[4] if not text.startswith("  "))
        split = tuple(sorted((o[0], tuple(names)) for o, names in by.items()))
        lines = [f"case {number} mask {mask}: {what}", f"  {head[2]}"]
        lines += [
            f"    {o[0]} {o[1][:160]} [{o[2]}] <{','.join(names)}>" for o, names in by.items()
        ]
        corrupted = tuple(sorted(text.split(": ", 1)[1] for text in texts))
        kinds.setdefault((corrupted, split), []).append("\n".join(lines))
    for texts in sorted(kinds.values(), key=len, reverse=True):
        print(f"\n{len(texts)} like this: {texts[0]}")
    print(f"\n{len(cases)} faulty cases, {len(kinds)} kinds among {len(looked_at)} of them")
    return len(cases)
