"""The texts of the page: the machine, and how to repeat the run."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

from benchmarks.ledger.results import Results
from benchmarks.ledger.sampling import EFFORTS
from benchmarks.report.facts import missing, valid, warnings
from benchmarks.report.page.saved import native
from benchmarks.report.table import number

__all__ = ["backends", "card", "command", "commit", "floor", "missing", "valid", "warnings"]


def card(results: Results, document: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the machine and the run, as terms and descriptions."""
    it, noise, effort = results.machine, results.noise, EFFORTS[results.effort]
    compilers = {results.backends[backend]["about"]["compiler"] for backend in native(results)}
    isa = {results.backends[backend]["about"]["isa"] for backend in native(results)}
    facts = [
        ("Processor", f"{it['processor']}, {number(it['cores'], 'core')}"),
        ("Instruction set", ", ".join(sorted(isa))),
        (
            "Python",
            f"{it['python_implementation']} {it['python_version']}, {it['python_compiler']}",
        ),
        ("Compilers", ", ".join(sorted(compilers))),
        ("System", f"{it['system']} {it['release']}"),
        ("Samples", f"up to {effort.processes} processes × {effort.rounds} rounds"),
        ("Load before", f"{noise['load']:.1f}"),
        ("Taken by others", _share(noise.get("others"))),
        ("Stolen by the host", _share(noise.get("steal"))),
        ("Noise floor", floor(results)),
        ("Slower moments", f"{results.slow[0]:.0%} of all, by {results.slow[1]:.1f}×"),
        ("When", f"{datetime.fromisoformat(document['datetime']):%-d %B %Y, %H:%M} UTC"),
        ("Commit", commit(document, 10).removeprefix("unversione")),
    ]
    return [(term, said) for term, said in facts if said]


def commit(document: dict[str, Any], digits: int) -> str:
    """Return the first digits of the commit, and that files differed from it."""
    it = document["commit_info"]
    return it["id"][:digits] + " + changes" * bool(it.get("dirty"))


def floor(results: Results) -> str:
    """Return the difference of the C API from itself, or nothing if it was not measured."""
    seconds, fraction = results.floor
    return f"±{seconds * 1e9:.2g} ns or {fraction:.1%}" if seconds else ""


def backends(results: Results) -> list[dict[str, Any]]:
    """Return each binding's technology and compiler, and the files that were loaded."""
    return [
        {
            "name": name,
            **results.backends[name]["about"],
            "files": [
                (Path(file["path"]).name.split(".")[0], file["sha256"][:8])
                for file in results.backends[name]["provenance"]["files"]
            ],
        }
        for name in results.open_backends
    ]


def command(results: Results) -> str:
    """Return the command that repeats the run."""
    return "nox -s bench" + ("" if results.effort == "usual" else f" -- --{results.effort}")


def _share(fraction: float | None) -> str:
    return "" if fraction is None else f"{fraction:.1%} of the machine"
