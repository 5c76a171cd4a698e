"""What the page says in words: its headline, the machine, how to do it again."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.ledger.kernels import SIZES
from benchmarks.ledger.results import FLOOR, Cell, Results
from benchmarks.ledger.run import EFFORTS
from benchmarks.report.facts import missing, warnings
from benchmarks.report.ledger import nanoseconds
from benchmarks.report.page.saved import native
from benchmarks.report.table import short

__all__ = ["backends", "card", "command", "floor", "headline", "missing", "warnings"]
ROW = "add_int"
"""The call that the headline is about."""
SAME = 0.05
"""How far two bindings may be apart for nobody to notice."""


class Headline(NamedTuple):
    """Who crosses the border cheapest and dearest, and from where on that is lost in the work."""

    row: str
    cheap: tuple[str, str, str]
    """Binding, nanoseconds, and their interval."""
    dear: tuple[str, str, str]
    size: int | None


def headline(results: Results) -> Headline | None:
    """From the data, or None where they have no such row."""
    cells = results.cells.get(f"pattern {ROW}", {})
    costs = {backend: cells[backend].gross.value for backend in native(results) if backend in cells}
    technologies = [backend for backend in costs if backend != FLOOR]
    if not technologies:
        return None
    cheap, dear = min(technologies, key=costs.__getitem__), max(costs, key=costs.__getitem__)
    return Headline(
        ROW,
        _with_interval(results, cheap, cells),
        _with_interval(results, dear, cells),
        _lost_from(results),
    )


def _with_interval(
    results: Results, backend: str, cells: Mapping[str, Cell]
) -> tuple[str, str, str]:
    low, high = (short(max(0.0, one) * 1e9) for one in cells[backend].estimate[1:])
    return backend, nanoseconds(results, cells[backend]), f"{low}–{high}"


def _lost_from(results: Results) -> int | None:
    """Return the size of matrix from which the C kernel's bindings differ by less than SAME."""
    sharing = [
        backend
        for backend in native(results)
        if results.backends[backend]["about"]["kernel"] == "C"
    ]
    found = None
    for size in reversed(SIZES):
        times = [
            cell.value for backend in sharing if (cell := results.cell(f"matmul {size}", backend))
        ]
        if len(times) < 2 or max(times) > (1 + SAME) * min(times):
            break
        found = size
    return found


def card(results: Results, document: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the machine and the run, as terms and descriptions."""
    it, noise, effort = results.machine, results.noise, EFFORTS[results.effort]
    compilers = {results.backends[backend]["about"]["compiler"] for backend in native(results)}
    isa = {results.backends[backend]["about"]["isa"] for backend in native(results)}
    facts = [
        ("Processor", f"{it['processor']}, {it['cores']} cores"),
        ("Instruction set", ", ".join(sorted(isa))),
        (
            "Python",
            f"{it['python_implementation']} {it['python_version']}, {it['python_compiler']}",
        ),
        ("Compilers", ", ".join(sorted(compilers))),
        ("System", f"{it['system']} {it['release']}"),
        ("Samples", f"up to {effort.processes} processes × {effort.rounds} rounds"),
        ("Load before", f"{noise['load']:.1f}"),
        ("Taken by others", _share(noise.get("others"))),
        ("Stolen by the host", _share(noise.get("steal"))),
        ("Noise floor", floor(results)),
        ("Slower moments", f"{results.slow[0]:.0%} of all, by {results.slow[1]:.1f}×"),
        ("When", f"{datetime.fromisoformat(document['datetime']):%-d %B %Y, %H:%M} UTC"),
        ("Commit", document["commit_info"]["id"][:10].removeprefix("unversione")),
    ]
    return [(term, said) for term, said in facts if said]


def floor(results: Results) -> str:
    """Return by how much the C API differs from itself, or nothing if it was not measured."""
    seconds, fraction = results.floor
    return f"±{seconds * 1e9:.2g} ns or {fraction:.1%}" if seconds else ""


def backends(results: Results) -> list[dict[str, Any]]:
    """Return each binding's technology and compiler, and the files that were loaded."""
    return [
        {
            "name": name,
            **results.backends[name]["about"],
            "files": [
                (Path(file["path"]).name.split(".")[0], file["sha256"][:8])
                for file in results.backends[name]["provenance"]["files"]
            ],
        }
        for name in results.open_backends
    ]


def command(results: Results) -> str:
    """Return the command that repeats the run."""
    return "nox -s bench" + ("" if results.effort == "usual" else f" -- --{results.effort}")


def _share(fraction: float | None) -> str:
    return "" if fraction is None else f"{fraction:.1%} of the machine"
