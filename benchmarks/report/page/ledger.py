"""The ledger as a heat map: the cost of each binding, divided by that of the C API."""

from __future__ import annotations

from itertools import groupby
from math import log
from typing import Any, NamedTuple

from benchmarks.ledger.results import FLOOR, Cell, Results
from benchmarks.ledger.rows import ALL, GIL_ALWAYS_FREED
from benchmarks.report.ledger import cost
from benchmarks.report.page.saved import backends
from benchmarks.report.page.words import floor
from benchmarks.report.table import Figure

HOTTEST = 50.0
"""Times the C API, for the darkest of the shades."""
SHADES = 10
TITLES = {
    "scalars": "No argument, and scalars",
    "text": "Text and bytes",
    "arrays": "Arrays",
    "containers": "Containers",
    "objects": "Structs, objects, iterators",
    "calls": "Calls and errors",
    "mixed": "Several kinds at once",
}


class Square(NamedTuple):
    """One cell of the map."""

    figure: Figure
    shade: int
    interval: str
    """The 95 % interval in nanoseconds."""


def ledger(results: Results) -> dict[str, Any] | None:
    """Columns, and rows under the title of their page; None if no pattern was timed."""
    names = [name for name in ALL if f"pattern {name}" in results.cells]
    if not names:
        return None
    columns = backends(results)
    return {
        "columns": [(backend, backend in GIL_ALWAYS_FREED) for backend in columns],
        "groups": [
            (TITLES[page], [(name, ALL[name], _squares(results, name)) for name in members])
            for page, members in groupby(names, lambda name: ALL[name].page)
        ],
        "means": [_mean(results, backend) for backend in columns] if FLOOR in columns else None,
        "floor": floor(results),
        "freed": any(backend in GIL_ALWAYS_FREED for backend in columns),
    }


def _squares(results: Results, name: str) -> list[Square]:
    group = f"pattern {name}"
    squares = []
    for backend in backends(results):
        cell, base = results.cell(group, backend), results.floor_of(group, backend)
        figure = cost(results, name, backend, backend)
        shade = 0 if figure.alike or not base or not cell else _shade(cell, base)
        interval = (one * 1e9 for one in cell.estimate[1:]) if cell else ()
        squares.append(Square(figure, shade, " – ".join(f"{max(0, one):.3g}" for one in interval)))
    return squares


def _shade(cell: Cell, base: Cell) -> int:
    times = max(1.0, cell.gross.value / base.gross.value)
    return min(SHADES, round(SHADES * log(times) / log(HOTTEST)))


def _mean(results: Results, backend: str) -> str:
    mean = results.times_floor(backend)
    return f"{mean:.1f}×" if mean else "–"
