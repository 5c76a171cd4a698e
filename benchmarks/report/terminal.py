"""What a run says of itself, and its tables on a terminal."""

from __future__ import annotations

from rich import box
from rich.console import Console
from rich.padding import Padding
from rich.table import Table as RichTable
from rich.text import Text

from benchmarks import REFERENCES
from benchmarks.core.machine import NOISY
from benchmarks.ledger.results import Results
from benchmarks.ledger.rows import ALL, HEADLINE
from benchmarks.report.tables import ABSENT, LEGEND, TABLES, Figure, Table, brief, costs, number

GREEN = "Green: the best native binding, and what is within 5 % of it."
SHARE = "Your share: the cost of a call divided by the time of yours. 100 ns of 10 µs are 1 %."
SLOW = 0.05
INTERRUPTED = 3.0
"""The factor above which a slow moment is an interruption; a second speed is nearer."""
ODD = 5  # calls that are named


def headline(results: Results) -> str:
    """Return the interpreter and the machine in a line."""
    it = results.machine
    gil = "GIL" if it["gil"] else "free-threaded"
    native = (backend for name, backend in results.backends.items() if name not in REFERENCES)
    isa = {backend["about"]["isa"] for backend in native if "about" in backend} - {""}
    parts = [
        f"{it['python_implementation']} {it['python_version']} ({gil}, {it['python_build']})",
        f"NumPy {it['numpy']}",
        f"{it['processor']}, {number(it['cores'], 'core')}",
        "/".join(sorted(isa)),
        f"load {results.noise['load']:.1f}",
    ]
    return " · ".join(part for part in parts if part)


def warnings(results: Results) -> list[str]:
    """Return what makes the figures less reliable."""
    found = []
    others = results.noise["others"]
    if others is not None and others > NOISY:
        found.append(
            f"noisy: other processes had {others:.0%} of the machine during the run; "
            "trust the order, not the figures"
        )
    share, factor = results.slow
    if share > SLOW:
        what = "has two speeds" if factor <= INTERRUPTED else "was interrupted"
        found.append(
            f"the machine {what}: for {share:.0%} of the time it was {factor:.1f} times "
            "slower than at its best; the figures are those of its best"
        )
    return found + odd(results)


def odd(results: Results) -> list[str]:
    """Return the warning about odd calls, which is known once instructions are counted."""
    if not results.odd:
        return []
    dearest = sorted(results.odd.items(), key=lambda one: -one[1])[:ODD]
    named = [f"{contender} {row} {by:.1f}×" for (row, contender), by in dearest]
    return [
        "calls marked ^ differ from the other calls of their binding in nanoseconds per "
        f"instruction, and need an explanation: {', '.join(named)}"
    ]


def valid(results: Results) -> str:
    """Return in a line the number of checked bindings, and the load on the machine."""
    checked = number(len(results.open_backends), "binding")
    seconds, fraction = results.floor
    others = results.noise["others"]
    parts = [
        f"valid: {checked}, built as required, with the right answers",
        *([f"noise floor ±{seconds * 1e9:.2g} ns or {fraction:.1%}"] if seconds else []),
        *([] if others is None else [f"others took {others:.0%} of the machine"]),
    ]
    return "; ".join(parts)


def missing(results: Results) -> list[tuple[str, str]]:
    """Return the missing bindings and libraries: the name with the reason, and the remedy."""
    unavailable = [
        (name, f"{backend['reason']}; to fix it: {backend['remedy']}")
        for name, backend in results.backends.items()
        if "about" not in backend
    ]
    return unavailable + list(results.absent.items())


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
    every = [TABLES[name](results) for name in kernels if name != "patterns"]
    for table in every if everything else brief(results):
        _print(table, console)
    if not everything:
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
    for i, (name, figures) in enumerate(table.rows, 1):
        rich.add_row(name, *map(_text, figures), end_section=i == table.rule)
    console.print(Text(f"\n {table.title}", "bold"))
    console.print(rich)
    for note in table.notes:
        console.print(_indented(Text(note, "dim")))


def _indented(text: Text) -> Padding:
    return Padding(text, (0, 1), expand=False)


def _text(figure: Figure) -> Text:
    style = "bold green" if figure.bold else "dim" if figure.value == ABSENT else ""
    return Text.assemble((figure.marks, "yellow"), (figure.value, style))
