"""docs/choosing.md: what each technology costs and lacks, by what a function is written in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from benchmarks.core.figures import ABSENT, table
from benchmarks.report.beyond import BRIEF
from benchmarks.report.even import words
from benchmarks.report.guide import CODE, NEEDS, TECHNOLOGIES
from benchmarks.report.table import UNKNOWN, short

CALLS = {"add_int": "two ints", "str_in": "a str", "array_in": "an array", "error": "an error"}
"""Patterns, and what the page calls them."""


def parts(figures: Mapping[str, Any]) -> dict[str, str]:
    """Return the marked parts of the page, from a published run."""
    even = figures["model"].get("break_even") or {}
    return {
        "costs": _costs(figures),
        "needs": _needs(),
        "sizes": "\n".join(f"- {line}" for line in words(even)) or "Not measured.",
    }


def _costs(figures: Mapping[str, Any]) -> str:
    """Return one table, in which each language has the technologies for it, the best first."""
    heads = ["your function is", "take", *(f"{title}, ns" for title in CALLS.values())]
    heads += [*(f"{term}, {unit}" for term, _, unit in BRIEF), "good for"]
    rows = []
    for title, names in CODE.values():
        for name in names:
            first = title if name == names[0] else ""
            rows.append([first, f"`{name}`", *_row(figures, name), TECHNOLOGIES[name].good_for])
    return table(heads, rows).replace("| --: |", "| --- |", 1)


def _row(figures: Mapping[str, Any], name: str) -> list[str]:
    calls = [_call(figures["cells"].get(f"pattern {row}", {}), name) for row in CALLS]
    found = figures["beyond"].get(name)
    return calls + [figure(found).value if found else ABSENT for _, figure, _ in BRIEF]


def _call(cells: Mapping[str, Any], name: str) -> str:
    """Return the cost of code as documented, and that of our page if it is another."""
    documented = cells.get(f"{name} idiomatic")
    ours = _cost(cells.get(name))
    return f"{_cost(documented)} ({ours.partition(' ')[0]})" if documented else ours


def _cost(cell: Mapping[str, Any] | None) -> str:
    """Return a cost with half its interval, or a dash if it is not a measurement."""
    if cell is None:
        return ABSENT
    half = (cell["high"] - cell["low"]) / 2
    if cell["low"] <= 0 or half > UNKNOWN * cell["seconds"]:
        return ABSENT
    return f"{cell['marks']}{short(1e9 * cell['seconds'])} ± {short(1e9 * half)}"


def _needs() -> str:
    """Return which technology has what a project may need, and why the others have not."""
    rows = [
        [f"`{name}`", *(it.lacks.get(need, "yes") for need in NEEDS)]
        for name, it in TECHNOLOGIES.items()
    ]
    return table(["", *NEEDS.values()], rows).replace("--:", "---")
