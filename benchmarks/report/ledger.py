"""The ledger as tables: nanoseconds, instructions, and what each tip saves."""

from __future__ import annotations

from collections.abc import Collection

from results import FLOOR, Cell, Results
from rows import ALL, KINDS, VARIANTS

from report.table import NONE, Figure, Table, short

GIL_ALWAYS_FREED = ("cffi", "torch")
MEANS = "× capi, geo. mean"


def costs(results: Results, chosen: Collection[str] = ALL) -> Table:
    """Return nanoseconds a call, a row for each pattern, a column for each binding."""
    doors = _doors(results)
    names = [name for name in _rows(results) if name in chosen]
    rows = [(name, [cost(results, name, door, door) for door in doors]) for name in names]
    if FLOOR in results.open_doors:
        means = [results.times_floor(door) for door in doors]
        rows.append((MEANS, [Figure(f"{mean:.1f}×") if mean else NONE for mean in means]))
    seconds, fraction = results.floor
    return Table(
        "Cost of a call, ns above an empty C function of as many arguments",
        [f"{door}*" if door in GIL_ALWAYS_FREED else door for door in doors],
        rows,
        rule=len(names),
        notes=[
            f"Noise floor ±{seconds * 1e9:.2g} ns or {fraction:.1%} (the C API against itself). "
            "The mean is of whole calls, over all patterns.",
            "* frees the GIL in every call; the others hold it but in the rows that say nogil.",
        ],
    )


def cost(results: Results, row: str, door: str, arm: str) -> Figure:
    """Return the cost of one pattern through one binding, in the variant that `arm` names."""
    group = f"probe {row}"
    cell = results.cell(group, arm)
    if cell is None:
        return NONE
    natives = (results.cell(group, one) for one in _doors(results) if one != "python")
    least = min((one.value for one in natives if one), default=0.0)
    native = door != "python"
    return Figure(
        nanoseconds(results, cell)
        + ("*" if door in GIL_ALWAYS_FREED and row == "noop" and arm == door else ""),
        cell.spread if cell.value > results.floor[0] else None,
        fine=cell.estimate.high - cell.estimate.low <= 2 * results.floor[0],
        best=native and cell.value <= max(1.05 * least, least + results.floor[0]),
        alike=native and arm != FLOOR and results.alike(group, arm),
        odd=(row, arm) in results.odd,
        once=cell.spread is None,
    )


def nanoseconds(results: Results, cell: Cell) -> str:
    """Return the net cost in nanoseconds; a cost within the noise floor is only known to be so."""
    floor = results.floor[0]
    if cell.value > floor:
        return short(cell.value * 1e9)
    return f"<{short(floor * 1e9)}" if floor else "0"


def choice(results: Results) -> list[Table]:
    """Return what whole calls cost against the C API by kind of argument: what to choose by."""
    doors = [door for door in _doors(results) if results.times_floor(door)]
    rows = [
        (kind, [Figure(f"{results.times_floor(door, names) or 0:.1f}×") for door in doors])
        for kind, names in KINDS.items()
        if all(f"probe {name}" in results.cells for name in names)
    ]
    title = "What to choose: whole calls against the C API by kind of argument (geometric means)"
    return [Table(title, doors, rows, rule=len(rows))] if rows and doors else []


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
                short(max(0.0, counts[door]["instructions"])),
                best=counts[door]["instructions"] <= 1.01 * least,
            )
            if door in counts
            else NONE
            for door in doors
        ]
        rows.append((name, figures))
    return [
        Table(
            "Instructions of a call, above an empty C function of as many arguments",
            doors,
            rows,
            rule=len(rows),
            notes=["By callgrind, in a process for each binding."],
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
            _, naive = cells
            figures = [
                cost(results, name, door, arm)._replace(best=False)
                for arm in (f"{door} naive", door, f"{door} tuned")
            ]
            saved = f"{naive.gross.value / base.gross.value:.1f}×" if naive else "–"
            figures.append(Figure(saved))
            rows.append((f"{door} {name}", figures))
    if not rows:
        return []
    rows.sort(key=lambda row: row[0])
    headings = ["commonly", "here", "tuned", "saved"]
    return [Table("What each tip saves, ns a call", headings, rows, rule=len(rows))]


def _doors(results: Results) -> list[str]:
    return [name for name in results.doors if name != "numpy"]


def _rows(results: Results) -> list[str]:
    return [name for name in ALL if f"probe {name}" in results.cells]
