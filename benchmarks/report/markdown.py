"""The tables of a published run: as they are stored, and as a page in Markdown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from benchmarks.ledger.results import Results
from benchmarks.report.facts import headline, missing, warnings
from benchmarks.report.table import LEGEND, Figure, Table
from benchmarks.report.tables import TABLES


def report(results: Results) -> dict[str, Any]:
    """Return the report as it is stored: the machine with its warnings, and tables of figures."""
    bindings = []
    for name, backend in results.backends.items():
        about = backend.get("about") or {"technology": "unavailable"}
        keys = ("technology", "compiler", "kernel", "isa")
        bindings.append([name, *(about.get(key, "") for key in keys)])
    headings = ["technology", "compiler", "kernels", "ISA"]
    absent = [f"- {name} unavailable: {why}" for name, why in missing(results)]
    return {
        "machine": [headline(results), *(f"**{warning}**" for warning in warnings(results))],
        "tables": [
            *(_stored(table) for tables in TABLES.values() for table in tables(results)),
            {"title": "Bindings", "headings": headings, "rows": bindings, "notes": absent},
        ],
    }


def page(report: Mapping[str, Any]) -> str:
    """Return a stored report as Markdown."""
    lines = ["\n\n".join(report["machine"]), ""]
    lines += [f"Figure ± half its 95 % interval. {_escaped(LEGEND)}", ""]
    for table in report["tables"]:
        lines += [f"## {table['title']}", "", f"| | {' | '.join(table['headings'])} |"]
        lines += ["|---|" + "--:|" * len(table["headings"])]
        lines += [f"| {' | '.join(row)} |" for row in table["rows"]]
        lines += ["", *(f"{note}  " for note in table["notes"]), ""]
    return "\n".join(lines).rstrip() + "\n"


def _stored(table: Table) -> dict[str, Any]:
    return {
        "title": table.title,
        "headings": table.headings,
        "rows": [[name, *map(_marked, figures)] for name, figures in table.rows],
        "notes": [_escaped(note) for note in table.notes],
    }


def _marked(figure: Figure) -> str:
    value = _escaped(figure.value)
    value = f"**{value}**" if figure.bold else value
    return f"{_escaped(figure.marks)} {value}".strip() + figure.interval


def _escaped(text: str) -> str:
    return text.replace("*", "\\*").replace("<", "&lt;")
