"""The report as one self-contained page of HTML: bench/report.html, made from page.html."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from benchmarks import ROOT
from benchmarks.core.bootstrap import Rounds
from benchmarks.ledger.results import Cell, Results
from benchmarks.ledger.rows import ALL, NOTES, VARIANTS
from benchmarks.report.facts import headline, missing, valid, warnings
from benchmarks.report.ledger import costs
from benchmarks.report.table import LEGEND
from benchmarks.report.tables import TABLES

HERE = Path(__file__).parent


def html(results: Results, document: dict[str, Any]) -> str:
    """Return the whole page of a run."""
    environment = Environment(
        loader=FileSystemLoader(HERE),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    calls = any(group.startswith("pattern ") for group in results.cells)
    timed = {group.split()[0] for group in results.cells}
    wanted = [kind for kind in TABLES if kind in timed or kind in ("patterns", "beyond")]
    tables = [table for kind in wanted for table in TABLES[kind](results)[kind == "patterns" :]]
    return environment.get_template("page.html").render(
        headline=headline(results),
        valid=valid(results),
        warnings=warnings(results),
        when=document["datetime"][:16].replace("T", " "),
        commit=document["commit_info"]["id"][:10],
        legend=LEGEND,
        ledger=costs(results) if calls else None,
        notes={
            name: f"{row.statement} · {row.signature} · {NOTES.get(name, '')}"
            for name, row in ALL.items()
        },
        tables=tables,
        missing=missing(results),
        cells=json.dumps(cells(results), separators=(",", ":")),
    )


def cells(results: Results) -> dict[str, dict[str, Any]]:
    """Return what stands behind each cell of the ledger, by row and contender."""
    return {
        name: {
            contender: {
                **_figures(cell),
                "binding": cell.binding,
                "instructions": counts.get(contender, {}).get("instructions"),
                "sources": sources(cell.binding, cell.variant or row.page),
            }
            for contender, cell in results.cells[f"pattern {name}"].items()
            if cell.variant in ("", *VARIANTS)
        }
        for name, row in ALL.items()
        if f"pattern {name}" in results.cells
        for counts in [results.instructions.get(name, {})]
    }


def sources(backend: str, page: str) -> list[str]:
    """Return the files of a page of a binding, from the root of the project."""
    folder = ROOT / "bindings" / backend
    found = [path for place in (folder / "patterns", folder) for path in place.glob(f"{page}.*")]
    return sorted(path.relative_to(ROOT).as_posix() for path in found)


def _figures(cell: Cell) -> dict[str, Any]:
    """Return the cost and the whole call with their intervals, in ns, and every sample."""
    net, gross = ([float(f"{1e9 * one:.4g}") for one in it] for it in (cell.estimate, cell.gross))
    return {"net": net, "gross": gross, "samples": _samples(cell.seconds)}


def _samples(samples: Rounds) -> list[str]:
    """Return the nanoseconds of each process as a text, in three digits."""
    return [" ".join(f"{1e9 * one:.3g}" for one in rounds) for rounds in samples]
