"""The ledger as tables: nanoseconds, instructions, and the costs of the variants."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from benchmarks.ledger.results import FLOOR, Cell, Results
from benchmarks.ledger.rows import ALL, GIL_ALWAYS_FREED, VARIANTS
from benchmarks.report.table import NONE, Figure, Table, short

MEANS = "× capi"


def costs(results: Results, chosen: Collection[str] = ALL) -> Table:
    """Return the nanoseconds of a call: a row for each pattern, a column for each binding."""
    backends = _backends(results)
    names = [name for name in _rows(results) if name in chosen]
    rows = [
        (name, [cost(results, name, backend, backend) for backend in backends]) for name in names
    ]
    seconds, fraction = results.floor
    measures = []
    if seconds:
        measures.append(
            f"Noise floor ±{seconds * 1e9:.2g} ns or {fraction:.1%} (the C API against itself)."
        )
    if FLOOR in results.open_backends:
        means = [results.times_floor(backend) for backend in backends]
        rows.append((MEANS, [Figure(f"{mean:.1f}×") if mean else NONE for mean in means]))
        which = "all" if len(_rows(results)) == len(ALL) else "the measured"
        measures.append(f"{MEANS}: whole calls, the geometric mean over {which} patterns.")
    notes = [" ".join(measures)] if measures else []
    if any(backend in GIL_ALWAYS_FREED for backend in backends):
        notes.append(
            "* releases the GIL in every call of C; the others do so in interruptible and *_nogil."
        )
    return Table(
        "Cost of a call, ns above an empty C function of as many arguments",
        [f"{backend}*" if backend in GIL_ALWAYS_FREED else backend for backend in backends],
        rows,
        rule=len(names),
        notes=notes,
    )


def cost(results: Results, row: str, backend: str, contender: str) -> Figure:
    """Return the cost of one pattern through one binding, in the variant that `contender` names."""
    group = f"pattern {row}"
    cell = results.cell(group, contender)
    if cell is None:
        return NONE
    natives = (results.cell(group, one) for one in _backends(results) if one != "python")
    least = min((one.value for one in natives if one), default=0.0)
    native = backend != "python"
    return Figure(
        nanoseconds(results, cell)
        + ("*" if backend in GIL_ALWAYS_FREED and row == "noop" and contender == backend else ""),
        cell.spread if cell.value > results.floor[0] else None,
        fine=cell.estimate.high - cell.estimate.low <= 2 * results.floor[0],
        best=native and cell.value <= max(1.05 * least, least + results.floor[0]),
        alike=native and contender != FLOOR and results.alike(group, contender),
        odd=(row, contender) in results.odd,
        once=cell.spread is None,
    )


def nanoseconds(results: Results, cell: Cell) -> str:
    """Return the net cost in nanoseconds, or that it is within the noise floor."""
    floor = results.floor[0]
    if cell.value > floor:
        return short(cell.value * 1e9)
    return f"<{short(floor * 1e9)}" if floor else "0"


def instructions(results: Results) -> list[Table]:
    """Return the instructions of a call, if they were counted."""
    if not results.instructions:
        return []
    backends = _backends(results)
    rows = []
    for name in (name for name in ALL if name in results.instructions):
        counts = results.instructions[name]
        least = min(
            (counts[backend]["instructions"] for backend in backends if backend in counts),
            default=0,
        )
        figures = [
            Figure(
                short(max(0.0, counts[backend]["instructions"])),
                best=counts[backend]["instructions"] <= 1.01 * least,
            )
            if backend in counts
            else NONE
            for backend in backends
        ]
        rows.append((name, figures))
    return [
        Table(
            "Instructions of a call, above an empty C function of as many arguments",
            backends,
            rows,
            rule=len(rows),
            notes=["By callgrind, in a process for each binding."],
        )
    ]


def variants(results: Results) -> list[Table]:
    """Return the costs of a pattern's variants, beside the pattern itself."""
    rows = []
    for name in _rows(results):
        for backend in _backends(results):
            base = results.cell(f"pattern {name}", backend)
            cells = [
                results.cell(f"pattern {name}", f"{backend} {variant}") for variant in VARIANTS
            ]
            if base is None or not any(cells):
                continue
            idiomatic, _ = cells
            figures = [
                replace(cost(results, name, backend, contender), best=False)
                for contender in (f"{backend} idiomatic", backend, f"{backend} fast")
            ]
            times = f"{idiomatic.gross.value / base.gross.value:.1f}×" if idiomatic else "–"
            figures.append(Figure(times))
            rows.append((f"{backend} {name}", figures))
    if not rows:
        return []
    rows.sort(key=lambda row: row[0])
    headings = ["idiomatic", "here", "fast", "idiomatic ÷ here"]
    notes = [
        "Idiomatic: what the documentation shows, where a page does otherwise, mostly to be safe.",
        "Fast: the same arguments, quicker at the price of something, which its docstring names.",
    ]
    return [Table("Variants, ns a call", headings, rows, rule=len(rows), notes=notes)]


def _backends(results: Results) -> list[str]:
    return [name for name in results.backends if name != "numpy"]


def _rows(results: Results) -> list[str]:
    return [name for name in ALL if f"pattern {name}" in results.cells]
