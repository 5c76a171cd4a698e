"""The ledger as tables: nanoseconds, instructions, and what each tip saves."""

from __future__ import annotations

from math import exp, log
from typing import Any

from results import Cell, Results
from rows import ALL, VARIANTS

from report.table import NONE, Figure, Table, short

GIL_ALWAYS_FREED = ("cffi", "torch")
FLOOR = "capi"


def costs(results: Results) -> Table:
    """Nanoseconds a call, a row for each pattern, a column for each door."""
    doors = _doors(results)
    rows = []
    for name in _rows(results):
        group = f"probe {name}"
        cells = {door: results.cell(group, door) for door in doors}
        least = min(
            (cell.median for door, cell in cells.items() if cell and door != "python"),
            default=0.0,
        )
        rows.append((name, [_cost(results, group, door, cells[door], least) for door in doors]))
    count = len(rows)
    if FLOOR in results.open_doors:
        means = [Figure(_times_floor(results, door)) for door in doors]
        rows.append(("× capi, geo. mean", means))
    seconds, fraction = results.floor
    return Table(
        "Cost of a call, ns above evaluating its operands",
        [f"{door}*" if door in GIL_ALWAYS_FREED else door for door in doors],
        rows,
        rule=count,
        notes=[
            f"Noise floor ±{seconds * 1e9:.2g} ns or {fraction:.1%} (the C API against itself); "
            "~ not told from the C API.",
            "* frees the GIL in every call; the others hold it but in the rows that say nogil.",
        ],
    )


def instructions(results: Results) -> list[Table]:
    """Instructions a call, where they were counted."""
    if not results.instructions:
        return []
    doors = _doors(results)
    rows = []
    for name in (name for name in ALL if name in results.instructions):
        counts = results.instructions[name]
        least = min((counts[door]["instructions"] for door in doors if door in counts), default=0)
        figures = [
            Figure(
                short(counts[door]["instructions"])
                + ("" if counts[door].get("exact", True) else "≈"),
                best=counts[door]["instructions"] <= 1.01 * least,
            )
            if door in counts
            else NONE
            for door in doors
        ]
        rows.append((name, figures))
    return [
        Table(
            "Instructions of a call, above evaluating its operands",
            doors,
            rows,
            rule=len(rows),
            notes=["By callgrind: the same on every run. ≈ where they are not."],
        )
    ]


def tips(results: Results) -> list[Table]:
    """What is saved by not writing it as it is commonly written, and by tuning it further."""
    rows = []
    for name in _rows(results):
        for door in _doors(results):
            base = results.cell(f"probe {name}", door)
            cells = [results.cell(f"probe {name}", f"{door} {variant}") for variant in VARIANTS]
            if base is None or not any(cells):
                continue
            tuned, naive = cells
            figures = [
                _plain(naive),
                _plain(base),
                _plain(tuned),
                Figure(f"{naive.median / base.median:.1f}×" if naive else "–"),
            ]
            rows.append((f"{door} {name}", figures))
    if not rows:
        return []
    rows.sort(key=lambda row: row[0])
    headings = ["commonly", "here", "tuned", "saved"]
    return [Table("What each tip saves, ns a call", headings, rows, rule=len(rows))]


def _cost(results: Results, group: str, door: str, cell: Cell | None, least: float) -> Figure:
    if cell is None:
        return NONE
    native = door != "python"
    alike = door != FLOOR and native and _has_floor(results, group)
    return Figure(
        short(cell.median * 1e9)
        + ("*" if door in GIL_ALWAYS_FREED and group == "probe noop" else ""),
        cell.spread,
        best=native and cell.median <= max(1.05 * least, least + results.floor[0]),
        alike=alike and results.alike(group, door, FLOOR),
    )


def _count(count: dict[str, Any] | None, least: float) -> Figure:
    if count is None:
        return NONE
    number = count["instructions"]
    return Figure(
        ("" if count.get("exact", True) else "≈") + short(number), best=number <= 1.01 * least
    )


def _has_floor(results: Results, group: str) -> bool:
    return results.cell(group, FLOOR) is not None


def _plain(cell: Cell | None) -> Figure:
    return NONE if cell is None else Figure(short(cell.median * 1e9), cell.spread)


def _doors(results: Results) -> list[str]:
    return [name for name in results.doors if name != "numpy"]


def _rows(results: Results) -> list[str]:
    return [name for name in ALL if f"probe {name}" in results.cells]


def _times_floor(results: Results, door: str) -> str:
    logs = []
    for group in results.cells:
        if group.startswith("probe "):
            cell, floor = (results.cell(group, name) for name in (door, FLOOR))
            if cell and floor and min(cell.median, floor.median) > 0:
                logs.append(log(cell.median / floor.median))
    return f"{exp(sum(logs) / len(logs)):.1f}×" if logs else "–"
