"""`python -m bindings` or `ffi-cookbook`: what is here, and how to get what is not."""

from __future__ import annotations

import argparse
import platform
import sys
from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

import bindings


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


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="ffi-cookbook", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser("doctor", help="a table of the doors, and how to open shut ones")
    command.add_argument("--strict", action="store_true", help="fail when a door is shut")
    options = parser.parse_args(arguments)
    return doctor(options.strict)


if __name__ == "__main__":
    sys.exit(main())
