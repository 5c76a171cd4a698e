"""`ffi-cookbook doctor`: which bindings work here, and the commands that install the others."""

from __future__ import annotations

import argparse
import os
import platform
import re
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from importlib import metadata

from rich.console import Console
from rich.table import Table

import ffi_cookbook
from ffi_cookbook.terminal import printable

HEADINGS = ("technology", "compiler", "kernel", "isa")
ALL_IMPORTS = "import ffi_cookbook; ffi_cookbook.available()"


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    command.add_argument("--strict", action="store_true", help="exit with 1 if a binding is absent")


def run(options: argparse.Namespace) -> int:
    """Print the table, and return 1 if `--strict` was given and a binding is absent, else 0."""
    table = Table()
    for heading in ("binding", *HEADINGS):
        table.add_column(heading, overflow="fold")
    absent: dict[tuple[str, str], list[str]] = {}
    for name, backend in ffi_cookbook.available().items():
        if isinstance(backend, ffi_cookbook.BackendUnavailable):
            absent.setdefault((backend.reason, backend.remedy), []).append(name)
            table.add_row(name, "[red]unavailable[/red]")
        else:
            about = backend.about()
            table.add_row(name, *(about[heading] for heading in HEADINGS))
    console = Console()
    console.print(table)
    for (reason, remedy), names in absent.items():
        console.print(f"{', '.join(names)}: {reason}", markup=False, soft_wrap=True)
        console.print(f"    to fix it: {remedy}", markup=False, soft_wrap=True)
    without = bool(sysconfig.get_config_var("Py_GIL_DISABLED"))
    if without and getattr(sys, "_is_gil_enabled", lambda: True)():
        console.print(f"warning: {_why_the_gil_is_on()}", markup=False, soft_wrap=True)
    console.print("\nIn a report of a fault, please include the table and these lines:")
    for line in _facts():
        console.print(f"    {printable(line)}", markup=False, highlight=False, soft_wrap=True)
    return 1 if options.strict and absent else 0


def _why_the_gil_is_on() -> str:
    """Return the reason why this Python, which can do without the GIL, runs with it.

    Python's own warning names the module. A new process gives it, whatever was imported here first.
    """
    command = (sys.executable, "-P", "-W", "always", "-c", ALL_IMPORTS)
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    if found := re.search(r"GIL\) has been enabled to load module '([^']+)'", done.stderr):
        return (
            f"the module {found[1]} has switched the GIL on: it does not declare that it needs none"
        )
    return "PYTHON_GIL or -X gil has switched the GIL on"


def _facts() -> Iterator[str]:
    """Yield a line for each fact about this installation that a report of a fault needs."""
    yield f"ffi-cookbook {ffi_cookbook.__version__} in {os.path.dirname(ffi_cookbook.__file__)}"
    gil = "no GIL" if sysconfig.get_config_var("Py_GIL_DISABLED") else "GIL"
    yield (
        f"{platform.python_implementation()} {platform.python_version()} ({gil}), {sys.executable}"
    )
    yield f"{platform.platform()}, {os.cpu_count()} CPUs"
    found = (f"{name} {version}" for name in ("numpy", "cffi", "torch") if (version := _of(name)))
    yield ", ".join(found)
    for name in sorted(os.environ):
        if name.startswith("COOKBOOK_") or name in ("PYTHONPATH", "CFLAGS", "CXXFLAGS"):
            yield f"{name}={os.environ[name]}"


def _of(distribution: str) -> str | None:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return None
