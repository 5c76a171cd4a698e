"""The tables on a terminal."""

from __future__ import annotations

from rich import box
from rich.console import Console
from rich.padding import Padding
from rich.table import Table as RichTable
from rich.text import Text

from benchmarks.ledger.results import Results
from benchmarks.ledger.rows import ALL, HEADLINE
from benchmarks.report.even import break_even
from benchmarks.report.facts import missing, valid, warnings
from benchmarks.report.ledger import choice, costs
from benchmarks.report.table import LEGEND, Figure, Table
from benchmarks.report.tables import TABLES

GREEN = "Green: the best, and what is within 5 % of it; among the calls only native bindings count."


def ledger(results: Results, everything: bool, console: Console) -> None:
    """Print what calls cost: the rows that most people ask for, or all of them."""
    _print(costs(results, ALL if everything else HEADLINE), console)


def show(results: Results, kernels: list[str], everything: bool, console: Console) -> None:
    """Print what was measured after the ledger, and what speaks against the run.

    By default that is one screen, together with the ledger: where each binding stops mattering, and
    which to choose.
    """
    if everything:
        for kernel in kernels:
            for table in TABLES[kernel](results)[kernel == "patterns" :]:
                _print(table, console)
    else:
        for table in [*break_even(results), *choice(results)]:
            _print(table, console)
    console.print(_indented(Text(f"{LEGEND} {GREEN}", "dim")))
    for name, why in missing(results):
        console.print(_indented(Text.assemble((f"{name} unavailable: ", "yellow"), why)))
    for warning in warnings(results):
        console.print(_indented(Text(f"! {warning}", "bold yellow")))
    rest = "" if everything else "; everything else: bench/report.html, or --show all"
    console.print(_indented(Text(f"{valid(results)}{rest}")))


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
    style = "bold green" if figure.bold else "dim" if figure.value == "–" else ""
    return Text.assemble((figure.marks, "yellow"), (figure.value, style))
