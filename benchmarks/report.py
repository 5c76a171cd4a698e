"""The tables on a terminal, and in Markdown."""

from __future__ import annotations

from machine import NOISY
from results import Results
from rich import box
from rich.console import Console
from rich.padding import Padding
from rich.table import Table as RichTable
from rich.text import Text
from tables import TABLES, Figure, Table

UNSURE = 0.1
LEGEND = (
    "Median over fresh processes; ~ where half their interquartile range is over 10 % of it.\n"
    "Green: the best, and what is within 5 % of it; among the probes only native doors count."
)


def headline(results: Results) -> str:
    """Interpreter and machine in a line."""
    it = results.machine
    gil = "GIL" if it["gil"] else "free-threaded"
    native = (door for name, door in results.doors.items() if name not in ("python", "numpy"))
    isa = {door["about"]["isa"] for door in native if "about" in door}
    parts = [
        f"{it['python_implementation']} {it['python_version']} ({gil})",
        f"{it['processor']}, {it['cores']} cores",
        "/".join(sorted(isa)),
        f"load {results.noise['load']:.1f}",
    ]
    return " · ".join(part for part in parts if part)


def warnings(results: Results) -> list[str]:
    """What makes the figures worth less."""
    found = []
    if results.machine["debug_build"]:
        found.append("a debug build of Python: call costs are not those of a release")
    others = results.noise["others"]
    if others is not None and others > NOISY:
        found.append(
            f"noisy: other processes had {others:.0%} of the machine during the run; "
            "trust the order, not the figures"
        )
    return found


def missing(results: Results) -> list[tuple[str, str]]:
    """Doors and libraries that are not here: name and reason, and remedy."""
    shut = [
        (name, f"{door['reason']}; to mend it: {door['remedy']}")
        for name, door in results.doors.items()
        if "about" not in door
    ]
    return shut + list(results.absent.items())


def show(results: Results, kernels: list[str], console: Console) -> None:
    """Prints everything."""
    for kernel in kernels:
        _print(TABLES[kernel](results), console)
    console.print(_indented(Text(f"\n{LEGEND}\n", "dim")))
    for name, why in missing(results):
        console.print(_indented(Text.assemble((f"{name} unavailable: ", "yellow"), why)))
    for warning in warnings(results):
        console.print(_indented(Text(f"! {warning}", "bold yellow")))


def markdown(results: Results, kernels: list[str]) -> str:
    """The report as a page."""
    lines = ["# ffi-cookbook bench", "", headline(results), ""]
    lines += [f"**{warning}**\n" for warning in warnings(results)]
    lines += ["Median over fresh processes ± half their interquartile range.", ""]
    for kernel in kernels:
        lines += _markdown(TABLES[kernel](results))
    lines += ["## Doors", "", "| door | technology | compiler | kernels | ISA |", "|---" * 5 + "|"]
    for name, door in results.doors.items():
        about = door.get("about") or {"technology": "unavailable"}
        cells = (about.get(key, "") for key in ("technology", "compiler", "kernel", "isa"))
        lines.append(f"| {name} | {' | '.join(cells)} |")
    lines += ["", *(f"- {name} unavailable: {why}" for name, why in missing(results))]
    return "\n".join(lines).rstrip() + "\n"


def _print(table: Table, console: Console) -> None:
    rich = RichTable(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    rich.add_column("", no_wrap=True)
    for heading in table.headings:
        rich.add_column(heading, justify="right", no_wrap=True)
    for number, (name, figures) in enumerate(table.rows):
        rich.add_row(name, *map(_text, figures), end_section=number + 1 == table.rule)
    console.print(Text(f"\n {table.title}", "bold"))
    console.print(rich)
    for note in table.notes:
        console.print(_indented(Text(note, "dim")))


def _indented(text: Text) -> Padding:
    return Padding(text, (0, 1), expand=False)


def _text(figure: Figure) -> Text:
    style = "bold green" if figure.best else "dim" if figure.value == "–" else ""
    unsure = figure.spread is not None and figure.spread > UNSURE
    return Text.assemble(("~" if unsure else "", "yellow"), (figure.value, style))


def _markdown(table: Table) -> list[str]:
    lines = [f"## {table.title}", "", f"| | {' | '.join(table.headings)} |"]
    lines.append("|---|" + "--:|" * len(table.headings))
    for name, figures in table.rows:
        lines.append(f"| {name} | {' | '.join(map(_marked, figures))} |")
    return [*lines, "", *(f"{_escaped(note)}  " for note in table.notes), ""]


def _marked(figure: Figure) -> str:
    value = _escaped(figure.value)
    value = f"**{value}**" if figure.best else value
    return value if figure.spread is None else f"{value} ±{figure.spread:.0%}"


def _escaped(text: str) -> str:
    return text.replace("*", "\\*")
