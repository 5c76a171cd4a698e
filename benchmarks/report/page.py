"""The report as one self-contained page of HTML, made from page.html, and as stored tables."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from benchmarks import ROOT
from benchmarks.ledger.results import Results
from benchmarks.ledger.rows import ALL, NOTES, VARIANTS
from benchmarks.report.tables import LEGEND, TABLES, Figure, costs
from benchmarks.report.terminal import headline, missing, valid, warnings


def html(results: Results, document: dict[str, Any]) -> str:
    """Return the whole page of a run, for bench/report.html."""
    timed = {group.split()[0] for group in results.cells}
    wanted = [kind for kind in TABLES if kind in timed or kind in ("patterns", "beyond")]
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    return environment.get_template("page.html").render(
        headline=headline(results),
        valid=valid(results),
        warnings=warnings(results),
        when=document["datetime"][:16].replace("T", " "),
        commit=document["commit"],
        legend=LEGEND,
        ledger=costs(results) if "pattern" in timed else None,
        notes={
            name: f"{row.statement} · {row.signature} · {NOTES.get(name, '')}"
            for name, row in ALL.items()
        },
        tables=[t for kind in wanted for t in TABLES[kind](results)[kind == "patterns" :]],
        missing=missing(results),
        cells=json.dumps(cells(results), separators=(",", ":")),
        sources=json.dumps(sources(results), separators=(",", ":")),
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
                cell.variant or row.page,
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


def sources(results: Results) -> dict[str, dict[str, list[str]]]:
    """Return the files of each binding's pages, from the root of the project."""
    pages = dict.fromkeys((*(row.page for row in ALL.values()), *VARIANTS))
    folders = {backend: ROOT / "bindings" / backend for backend in results.open_backends}
    return {
        backend: {
            page: sorted(path.relative_to(ROOT).as_posix() for path in folder.rglob(f"{page}.*"))
            for page in pages
        }
        for backend, folder in folders.items()
        if (folder / "patterns").is_dir()
    }


def report(results: Results) -> dict[str, Any]:
    """Return the report as it is stored: the machine with its warnings, and tables of figures."""
    bindings = []
    for name, backend in results.backends.items():
        about = backend.get("about") or {"technology": "unavailable"}
        keys = ("technology", "compiler", "kernel", "isa")
        bindings.append([name, *(about.get(key, "") for key in keys)])
    headings = ["technology", "compiler", "kernels", "ISA"]
    absent = [f"- {name} unavailable: {why}" for name, why in missing(results)]
    tables = [
        {
            "title": table.title,
            "headings": table.headings,
            "rows": [[name, *map(_marked, figures)] for name, figures in table.rows],
            "notes": [_escaped(note) for note in table.notes],
        }
        for made in TABLES.values()
        for table in made(results)
    ]
    tables.append({"title": "Bindings", "headings": headings, "rows": bindings, "notes": absent})
    machine = [headline(results), *(f"**{warning}**" for warning in warnings(results))]
    return {"machine": machine, "tables": tables}


def markdown(report: Mapping[str, Any]) -> str:
    """Return a stored report as Markdown."""
    lines = ["\n\n".join(report["machine"]), ""]
    lines += [f"Figure ± half its 95 % interval. {_escaped(LEGEND)}", ""]
    for table in report["tables"]:
        lines += [f"## {table['title']}", "", f"| | {' | '.join(table['headings'])} |"]
        lines += ["|---|" + "--:|" * len(table["headings"])]
        lines += [f"| {' | '.join(row)} |" for row in table["rows"]]
        lines += ["", *(f"{note}  " for note in table["notes"]), ""]
    return "\n".join(lines).rstrip() + "\n"


def _marked(figure: Figure) -> str:
    value = _escaped(figure.value)
    value = f"**{value}**" if figure.bold else value
    return f"{_escaped(figure.marks)} {value}".strip() + figure.interval


def _escaped(text: str) -> str:
    return text.replace("*", "\\*").replace("<", "&lt;")
