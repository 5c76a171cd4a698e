"""The report as one self-contained page of HTML, made from page.html."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from benchmarks import ROOT
from benchmarks.ledger.results import Results
from benchmarks.ledger.rows import ALL, VARIANTS
from benchmarks.report.tables import LEGEND, TABLES
from benchmarks.report.terminal import headline, missing, valid, warnings


def html(results: Results, document: dict[str, Any], hrefs: str = "") -> str:
    """Return the whole page of a run; `hrefs` is where the sources of a binding's page are.

    They are the files themselves, seen from bench/report.html, if it is not given.
    """
    timed = {group.split()[0].replace("pattern", "patterns") for group in results.cells}
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent), autoescape=True, undefined=StrictUndefined
    )
    return environment.get_template("page.html").render(
        headline=headline(results),
        valid=valid(results),
        warnings=warnings(results),
        when=document["datetime"][:16].replace("T", " "),
        commit=document["commit"],
        legend=LEGEND,
        notes={
            name: f"{row.statement} · {row.signature} · {row.note}" for name, row in ALL.items()
        },
        tables=[table(results) for kind, table in TABLES.items() if kind in timed],
        missing=missing(results),
        cells=json.dumps(cells(results), separators=(",", ":")),
        sources=json.dumps(sources(results, hrefs), separators=(",", ":")),
    )


def cells(results: Results) -> dict[str, dict[str, Any]]:
    """Return what stands behind each cell of the ledger, by row and contender.

    That is the cost with its interval, the whole call, the instructions, where the source is, and
    the samples of every process, in nanoseconds.
    """
    return {
        name: {
            contender: [
                *(_rounded(1e9 * one, 4) for one in (*cell.estimate, cell.gross.value)),
                results.instructions.get(name, {}).get(contender, {}).get("instructions"),
                cell.binding,
                cell.variant if cell.variant and _files(cell.binding, cell.variant) else row.page,
                [" ".join(_rounded(1e9 * one, 3) for one in rounds) for rounds in cell.seconds],
            ]
            for contender, cell in results.cells[f"pattern {name}"].items()
            if cell.variant in ("", *VARIANTS)
        }
        for name, row in ALL.items()
        if f"pattern {name}" in results.cells
    }


def _rounded(value: float, digits: int) -> str:
    return f"{float(f'{value:.{digits}g}'):g}"


def sources(results: Results, hrefs: str) -> dict[str, dict[str, list[str]]]:
    """Return the links to the sources, by binding and page."""
    pages = dict.fromkeys((*(row.page for row in ALL.values()), *VARIANTS))
    return {
        name: {
            page: [hrefs.format(page=page, binding=name)] if hrefs else _files(name, page)
            for page in pages
        }
        for name in results.open_backends
    }


def _files(binding: str, page: str) -> list[str]:
    found = (ROOT / "bindings" / binding).rglob(f"{page}.*")
    return sorted(f"../{path.relative_to(ROOT).as_posix()}" for path in found)
