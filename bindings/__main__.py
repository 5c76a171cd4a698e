"""`python -m bindings` or `ffi-cookbook`: what is here, what is not and why, what a call costs;
what is in a file of records; and training a tokenizer."""

from __future__ import annotations

import argparse
import platform
import sys
from collections.abc import Sequence

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

import bindings
from bindings import costs
from bindings.records import commands as records
from bindings.tokenizer import commands as tokenizer


def doctor(strict: bool = False) -> int:
    """Prints a table of the doors. Returns 1 when `strict` and one of them is shut."""
    table = Table(
        title=f"ffi-cookbook · {platform.python_implementation()} {sys.version.split()[0]}"
    )
    for heading in ("door", "technology", "compiler", "kernels", "ISA"):
        table.add_column(heading, overflow="fold")
    shut = []
    for name, backend in bindings.available().items():
        if isinstance(backend, bindings.BackendUnavailable):
            shut.append(backend)
            table.add_row(name, "[red]unavailable[/red]", "", "", "")
        else:
            about = backend.about()
            cells = (about[key] for key in ("technology", "compiler", "kernel", "isa"))
            table.add_row(name, *cells)
    console = Console()
    console.print(table)
    for unavailable in shut:
        console.print(f"{unavailable.backend}: {unavailable.reason}", markup=False, soft_wrap=True)
        console.print(f"    to mend it: {unavailable.remedy}", markup=False, soft_wrap=True)
    return 1 if strict and shut else 0


def cost(text: str) -> int:
    """Prints what a call of this signature costs through each door, cheapest first."""
    try:
        signature = costs.Signature.parse(text)
        estimates = [costs.predict(door, signature) for door in costs.doors()]
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    run, console = costs.measured(), Console(highlight=False)
    if not console.is_terminal:
        console.width = 200  # whoever reads a pipe wants one line a door
    table = Table(box=box.SIMPLE_HEAD if console.is_terminal else None, pad_edge=False)
    table.add_column("door")
    for heading in ("ns", "off by", *signature.parts()):
        table.add_column(escape(heading), justify="right")
    for estimate in sorted(estimates, key=lambda one: one.total):
        off = run["doors"][estimate.door]["off"]
        table.add_row(
            *(estimate.door, f"{estimate.total:.0f}", f"{off['ns']:.0f} ns, {off['fraction']:.0%}"),
            *(f"{price:.1f}" for price in estimate.parts.values()),
        )
    console.print(table)
    console.print(
        "Above evaluating the arguments, and without the function's own work.\n"
        f"Measured {run['date']}: {run['python']}, {run['machine']}.\n"
        "off by: the median of calls that the prices were not fitted to."
    )
    return 0


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="ffi-cookbook", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser("doctor", help="a table of the doors, and how to open shut ones")
    command.add_argument("--strict", action="store_true", help="fail when a door is shut")
    command = commands.add_parser("cost", help="what a call costs through each door")
    command.add_argument("signature", help='such as "f(ndarray[f64], int, str) -> ndarray[f64]"')
    records.add_parser(commands)
    tokenizer.add_parser(commands)
    options = parser.parse_args(arguments)
    if options.command == "records":
        return records.run(options)
    if options.command == "tokenizer":
        return tokenizer.run(options)
    return cost(options.signature) if options.command == "cost" else doctor(options.strict)


if __name__ == "__main__":
    sys.exit(main())
