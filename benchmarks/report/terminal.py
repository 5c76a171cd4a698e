"""The tables on a terminal."""

from __future__ import annotations

from results import Results
from rich import box
from rich.console import Console
from rich.padding import Padding
from rich.table import Table as RichTable
from rich.text import Text

from report.facts import missing, warnings
from report.table import Figure, Table
from report.tables import TABLES

UNSURE = 0.1
LEGEND = (
    "Median over fresh processes; ? where half its 95 % interval is over 10 % of it.\n"
    "Green: the best, and what is within 5 % of it; among the probes only native doors count."
)


def show(results: Results, kernels: list[str], console: Console) -> None:
    """Prints everything."""
    for kernel in kernels:
        for table in TABLES[kernel](results):
            _print(table, console)
    console.print(_indented(Text(f"\n{LEGEND}\n", "dim")))
    for name, why in missing(results):
        console.print(_indented(Text.assemble((f"{name} unavailable: ", "yellow"), why)))
    for warning in warnings(results):
        console.print(_indented(Text(f"! {warning}", "bold yellow")))


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
    marks = ("?" if unsure else "") + ("~" if figure.alike else "")
    return Text.assemble((marks, "yellow"), (figure.value, style))
