"""Small tables with a bar in every row: the kernels at work."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

import ffi_cookbook
from benchmarks.ledger.baselines import PEAK
from benchmarks.ledger.calls import BRIDGE
from benchmarks.ledger.kernels import SIZES
from benchmarks.ledger.results import Cell, Results
from benchmarks.report.table import Figure, short


class Bar(NamedTuple):
    """A row."""

    name: str
    colour: str
    """The page's variable of that name."""
    share: float
    """Of the longest."""
    text: str
    best: bool


class Bars(NamedTuple):
    """A table."""

    title: str
    unit: str
    rows: list[Bar]
    more_is_better: bool = True


Values = Iterable[tuple[str, float, float | None]]
"""Name, value, and half its interval as a fraction of it: None where it was measured once."""


def kernels(results: Results) -> list[Bars]:
    """Return the speeds of the bindings and the libraries for the longest and the shortest work."""
    peak, largest = results.cell("matmul peak", PEAK), f"matmul {SIZES[-1]}"
    of_peak = 100 / peak.rate if peak else 1e-9
    charts = [
        _timed(
            results,
            f"Matmul, N = {SIZES[-1]}",
            "% of peak" if peak else "GFLOP/s",
            largest,
            lambda cell: cell.rate * of_peak,
        ),
        _timed(results, "Records, index", "GB/s", "records index", lambda cell: cell.rate / 1e9),
        *(
            _timed(results, title, "MB/s", group, lambda cell: cell.rate / 1e6)
            for title, group in (
                ("Records, decode", "records decode"),
                ("Records, fixed layout", "records fixed"),
                ("Tokenizer, a text that it has read before", "tokenizer text"),
            )
        ),
        _timed(
            results,
            "Tokenizer, a short line",
            "µs",
            "tokenizer line",
            lambda cell: cell.value * 1e6,
            more_is_better=False,
        ),
    ]
    return [chart for chart in charts if chart.rows]


def _timed(
    results: Results,
    title: str,
    unit: str,
    group: str,
    value: Callable[[Cell], float],
    *,
    more_is_better: bool = True,
) -> Bars:
    cells = results.cells.get(group, {})
    values = [
        (name, value(cell), cell.spread) for name, cell in cells.items() if BRIDGE not in name
    ]
    return _bars(title, unit, values, more_is_better=more_is_better)


def _bars(title: str, unit: str, values: Values, *, more_is_better: bool) -> Bars:
    ordered = sorted(values, key=lambda one: one[1], reverse=more_is_better)
    longest = max((value for _, value, _ in ordered), default=0) or 1
    best = ordered[0][1] if ordered else 0
    return Bars(
        title,
        unit,
        [
            Bar(
                name,
                name if name in ffi_cookbook.names() else "faint",
                value / longest,
                f"{figure.marks}{figure.value}{figure.interval}",
                figure.bold,
            )
            for name, value, spread in ordered
            for figure in [
                Figure(
                    short(value),
                    spread or None,
                    best=abs(value - best) <= 0.05 * best,
                    once=spread is None,
                )
            ]
        ],
        more_is_better,
    )
