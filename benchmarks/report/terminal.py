"""The tables on a terminal."""

from __future__ import annotations

from rich import box
from rich.console import Console
from rich.padding import Padding
from rich.table import Table as RichTable
from rich.text import Text

from benchmarks.ledger.results import Results
from benchmarks.ledger.rows import ALL, HEADLINE
from benchmarks.report.facts import headline, missing, odd, valid, warnings
from benchmarks.report.ledger import costs
from benchmarks.report.table import LEGEND, Figure, Table
from benchmarks.report.tables import TABLES, brief

GREEN = "Green: the best native binding, and what is within 5 % of it."
SHARE = "Your share: the cost of a call divided by the time of yours. 100 ns of 10 µs are 1 %."


def ledger(results: Results, everything: bool, console: Console) -> None:
    """Print the validity and the noise of the run, and the costs of calls.

    It prints the most common patterns, or all of them.
    """
    console.print(f"[bold]ffi-cookbook bench[/] · {headline(results)}")
    console.print(Text(valid(results)))
    _warn(warnings(results), console)
    _print(costs(results, ALL if everything else HEADLINE), console)


def show(results: Results, kernels: list[str], everything: bool, console: Console) -> None:
    """Print the measurements after the calls: the kernels, by default in brief."""
    _warn(odd(results), console)
    if everything:
        for kernel in kernels:
            for table in TABLES[kernel](results)[kernel == "patterns" :]:
                _print(table, console)
    else:
        for table in brief(results):
            _print(table, console)
        console.print(_indented(Text(SHARE)))
    console.print(_indented(Text(f"{LEGEND} {GREEN}", "dim")))
    for name, why in missing(results):
        console.print(_indented(Text.assemble((f"{name} unavailable: ", "yellow"), why)))
    if not everything:
        console.print(_indented(Text("The rest: bench/report.html, or --all.")))


def _warn(found: list[str], console: Console) -> None:
    for warning in found:
        console.print(Text(f"! {warning}", "bold yellow"))


def _print(table: Table, console: Console) -> None:
    rich = RichTable(box=box.SIMPLE_HEAD, padding=0)
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
