"""The tables as a page in Markdown."""

from __future__ import annotations

from benchmarks.ledger.results import Results
from benchmarks.report.facts import headline, missing, warnings
from benchmarks.report.table import LEGEND, Figure, Table
from benchmarks.report.tables import TABLES


def markdown(results: Results, kernels: list[str]) -> str:
    """Return the report as a page of Markdown."""
    lines = ["# ffi-cookbook bench", "", headline(results), ""]
    lines += [f"**{warning}**\n" for warning in warnings(results)]
    lines += [f"Figure ± half its 95 % interval. {_escaped(LEGEND)}", ""]
    for kernel in kernels:
        for table in TABLES[kernel](results):
            lines += _markdown(table)
    lines += [
        "## Bindings",
        "",
        "| binding | technology | compiler | kernels | ISA |",
        "|---" * 5 + "|",
    ]
    for name, backend in results.backends.items():
        about = backend.get("about") or {"technology": "unavailable"}
        cells = (about.get(key, "") for key in ("technology", "compiler", "kernel", "isa"))
        lines.append(f"| {name} | {' | '.join(cells)} |")
    lines += ["", *(f"- {name} unavailable: {why}" for name, why in missing(results))]
    return "\n".join(lines).rstrip() + "\n"


def _markdown(table: Table) -> list[str]:
    lines = [f"## {table.title}", "", f"| | {' | '.join(table.headings)} |"]
    lines.append("|---|" + "--:|" * len(table.headings))
    for name, figures in table.rows:
        lines.append(f"| {name} | {' | '.join(map(_marked, figures))} |")
    return [*lines, "", *(f"{_escaped(note)}  " for note in table.notes), ""]


def _marked(figure: Figure) -> str:
    value = _escaped(figure.value)
    value = f"**{value}**" if figure.bold else value
    return f"{_escaped(figure.marks)} {value}".strip() + figure.interval


def _escaped(text: str) -> str:
    return text.replace("*", "\\*").replace("<", "&lt;")
