"""The ledger as a heat map: who takes how many times what the C API takes."""

from __future__ import annotations

from itertools import groupby
from math import exp, log
from typing import Any, NamedTuple

from results import Results
from rows import ALL, VARIANTS

from report.ledger import FLOOR, GIL_ALWAYS_FREED
from report.page.saved import doors, native
from report.page.words import floor
from report.table import short

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

    text: str
    shade: int
    alike: bool
    """Not to be told from the C API."""


def ledger(results: Results) -> dict[str, Any] | None:
    """Columns, and rows under the title of their page; None where no probe was timed."""
    names = [name for name in ALL if f"probe {name}" in results.cells]
    if not names:
        return None
    columns = doors(results)
    return {
        "columns": [(door, door in GIL_ALWAYS_FREED) for door in columns],
        "groups": [
            (TITLES[page], [(name, ALL[name], _squares(results, name)) for name in members])
            for page, members in groupby(names, lambda name: ALL[name].page)
        ],
        "means": [_mean(results, door, names) for door in columns] if FLOOR in columns else None,
        "floor": floor(results),
    }


def tips(results: Results) -> list[dict[str, Any]]:
    """What is commonly written and what it costs more than what is written here, the dearest first;
    what can be tuned further."""
    found = []
    for name in ALL:
        for door in native(results):
            here = results.cell(f"probe {name}", door)
            variants = [results.cell(f"probe {name}", f"{door} {one}") for one in VARIANTS]
            if here is None or not any(variants):
                continue
            tuned, naive = (cell and cell.median for cell in variants)
            found.append(
                {
                    "row": name,
                    "door": door,
                    "times": [_ns(naive), _ns(here.median), _ns(tuned)],
                    "saved": (naive or here.median) - min(here.median, tuned or here.median),
                    "worst": max(naive or 0, here.median),
                }
            )
    return sorted(found, key=lambda tip: -tip["saved"])


def _squares(results: Results, name: str) -> list[Square]:
    group = f"probe {name}"
    cells = {door: results.cell(group, door) for door in doors(results)}
    base = results.cell(group, FLOOR)
    alike = [
        door
        for door, cell in cells.items()
        if base and cell and door not in (FLOOR, "python") and results.alike(group, door, FLOOR)
    ]
    least = base.median if base else min(cell.median for cell in cells.values() if cell)
    return [
        Square("–", 0, False)
        if cell is None
        else Square(
            short(cell.median * 1e9),
            0 if door in alike else _shade(cell.median, least),
            door in alike,
        )
        for door, cell in cells.items()
    ]


def _shade(cost: float, least: float) -> int:
    if cost <= least or least <= 0:
        return 0
    return min(SHADES, round(SHADES * log(cost / least) / log(HOTTEST)))


def _mean(results: Results, door: str, names: list[str]) -> str:
    logs = []
    for name in names:
        cell, base = (results.cell(f"probe {name}", one) for one in (door, FLOOR))
        if cell and base and min(cell.median, base.median) > 0:
            logs.append(log(cell.median / base.median))
    return f"{exp(sum(logs) / len(logs)):.1f}×" if logs else "–"


def _ns(seconds: float | None) -> str:
    return "" if seconds is None else short(seconds * 1e9)
