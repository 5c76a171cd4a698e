"""`ffi-cookbook bench`: a binding of your own, checked and then timed beside those here."""

from __future__ import annotations

import argparse
import contextlib
import importlib
import importlib.util
import json
import os
import random
import subprocess
import sys
from importlib import metadata
from pathlib import Path
from types import ModuleType
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table

import ffi_cookbook
from ffi_cookbook.comparison import conformance, timing
from ffi_cookbook.comparison.operands import CALLS, has
from ffi_cookbook.terminal import printable

GROUP = "ffi_cookbook.bindings"
SECONDS = 600
BESIDE = ("capi", "cython", "pyo3", "nanobind", "pybind11", "cffi", "ctypes")


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the project's command line."""
    command = commands.add_parser("bench", help="check and time a binding of your own")
    command.add_argument(
        "--binding",
        required=True,
        metavar="PATH",
        help=f"a module with functions of the protocol: its file, its folder, its name, or that of "
        f"an entry point of the group {GROUP}",
    )
    command.add_argument("--json", action="store_true", help="print JSON")
    command.add_argument("--alone", action="store_true", help=argparse.SUPPRESS)


def run(options: argparse.Namespace) -> int:
    """Check and time the binding, and return 0, 1 if it is wrong, or 2 if it cannot be used.

    It runs in a process of its own, since it may crash.
    """
    if options.alone:
        _measure(options.binding)
        return 0
    command = [sys.executable, "-P", "-m", "ffi_cookbook", "bench", "--alone"]
    try:
        done = subprocess.run(
            [*command, "--binding", options.binding],
            stdout=subprocess.PIPE,
            timeout=SECONDS,
            text=True,
        )
    except subprocess.TimeoutExpired:
        print(f"{options.binding} did not end within {SECONDS} seconds", file=sys.stderr)
        return 1
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    if done.returncode == 2 and not lines:
        return 2
    if done.returncode:
        name = lines[-1].get("checking", "the import") if lines else "the import"
        lines.append({"name": name, "wrong": f"{name}: the process ended with {done.returncode}"})
    results = [line for line in lines if "name" in line]
    if options.json:
        print(json.dumps(results, indent=1))
    else:
        _print(results)
    return int(any("wrong" in result for result in results))


def load(path: str) -> ModuleType:
    """Return the module for a path or a name; raise ImportError if there is none."""
    for entry in metadata.entry_points(group=GROUP):
        if entry.name == path:
            return entry.load()  # type: ignore[no-any-return]
    place = Path(path)
    if place.is_dir() or place.suffix == ".py" or ".so" in place.suffixes or place.suffix == ".pyd":
        sys.path.insert(0, str(place.resolve().parent))
        return importlib.import_module(place.name.split(".")[0])
    sys.path.append(os.getcwd())
    return importlib.import_module(path)


def _measure(path: str) -> None:
    """Print a line of JSON for each function: its fault or its cost."""
    try:
        module = load(path)
    except ImportError as error:
        print(f"{path} cannot be imported: {error}", file=sys.stderr)
        raise SystemExit(2) from None
    own = [name for name in CALLS if has(module, name)]
    if not own:
        print(f"{path} has no function of the protocol: {', '.join(CALLS)}", file=sys.stderr)
        raise SystemExit(2)
    modules: dict[str, Any] = {"yours": module}
    for name in BESIDE:
        with contextlib.suppress(ffi_cookbook.BackendUnavailable):
            modules[name] = ffi_cookbook.load(name)
    draw = random.Random()
    for name in own:
        print(json.dumps({"checking": name}), flush=True)
        if wrong := conformance.complaint(module, name, draw):
            print(json.dumps({"name": name, "wrong": wrong}), flush=True)
        else:
            times = timing.nanoseconds(modules, name)
            print(json.dumps({"name": name, "nanoseconds": times}), flush=True)


def _print(results: list[dict[str, Any]]) -> None:
    console = Console()
    right = [result for result in results if "nanoseconds" in result]
    if right:
        names = list(dict.fromkeys(name for result in right for name in result["nanoseconds"]))
        table = Table(
            title="Nanoseconds a call", title_justify="left", box=box.SIMPLE_HEAD, padding=(0, 1)
        )
        for heading in ("", *names):
            table.add_column(heading, justify="right" if heading else "left", no_wrap=not heading)
        for result in right:
            times = result["nanoseconds"]
            cells = [f"{times[name]:,.0f}" if name in times else "" for name in names]
            table.add_row(result["name"], *cells)
        whole = console.measure(table, options=console.options.update(width=1000)).maximum
        Console(width=max(whole, console.width)).print(table)
    for result in results:
        if "wrong" in result:
            console.print(f"WRONG  {printable(result['wrong'])}", markup=False, highlight=False,
                          soft_wrap=True)  # fmt: skip
