"""The same five calls through each technology, and the table that compares them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from statistics import geometric_mean

from benchmarks.core.pages import table
from studies import figures
from studies.extensions import SUFFIXES, USUAL, Options, build
from studies.statements import Cells, Cost, costs
from studies.study import Setting

SOURCES = Path(__file__).parent / "sources"
CASES = {
    "no argument": ("noop", "f()"),
    "two ints": ("add", "f(3000, 4000)"),
    "a str of 11": ("length", "f('hello world')"),
    "8 doubles": ("total", "f(a)"),
    "an error": ("fail", "try:\n    f()\nexcept ValueError:\n    pass"),
}
"""Function and statement; `a` is an array.array."""
Result = Mapping[str, Mapping[str, Cost]]
"""By column, by row."""


def cells(module: str, cases: Iterable[str] = CASES, array: str = "array") -> Cells:
    """Return statements for the cases of a module, with an array.array or one of NumPy's."""
    makers = {
        "array": "from array import array\na = array('d', range(8))",
        "numpy": "import numpy\na = numpy.arange(8.0)",
    }
    return {
        case: (f"from {module} import {CASES[case][0]} as f\n{makers[array]}", CASES[case][1])
        for case in cases
    }


def module(setting: Setting, tool: str, name: str, options: Options = USUAL) -> Path | None:
    """Build a tool's module of the five calls in a folder of that name, or note why not."""
    source, folder = SOURCES / f"calls_{tool}{SUFFIXES[tool]}", setting.folder / name
    made = setting.load(name, lambda: build(tool, source, folder, options))
    return folder if made else None


def calls(
    setting: Setting,
    tool: str,
    name: str,
    options: Options = USUAL,
) -> dict[str, dict[str, Cost]]:
    """Return the costs of a tool's calls as a column, or nothing if it cannot be built."""
    folder = module(setting, tool, name, options)
    if folder is None:
        return {}
    return {name: costs(cells(f"calls_{tool}"), folder, setting.rounds)}


def shown(sentence: str, found: Result) -> str:
    """Return a sentence and a table: instructions, and nanoseconds in brackets."""
    rows = figures.names(found.values())
    body = [
        [
            row,
            *(_cell(column[row]) if row in column else figures.ABSENT for column in found.values()),
        ]
        for row in rows
    ]
    return f"{sentence}\n\n{table(['', *found], body)}"


def times(found: Result, column: str, other: str) -> float:
    """Return the geometric mean of a column by another, of instructions where both have them."""
    return geometric_mean(_ratio(cost, found[other][row]) for row, cost in found[column].items())


def ranked(names: Iterable[str], value: Callable[[str], float]) -> str:
    """Say `a 1.2 ×, b 1.5 ×`, the least first."""
    return ", ".join(f"{name} {value(name):.2f} ×" for name in sorted(names, key=value))


def _ratio(one: Cost, other: Cost) -> float:
    (ns, count), (other_ns, other_count) = one, other
    return count / other_count if count and other_count else ns / other_ns


def _cell(cost: Cost) -> str:
    ns, instructions = cost
    return f"{ns:.0f} ns" if instructions is None else f"{instructions:,.0f} ({ns:.0f} ns)"
