"""Measure the same calls in each version of Python, and in the system's own."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

from benchmarks.core.extensions import Options
from benchmarks.studies.experts.common import TOOLS, Result, calls, ranked, shown, times
from benchmarks.study import Setting

VERSIONS = ("3.11", "3.12", "3.13", "3.14")
SYSTEM, OWN = "/usr/bin/python3", "system's"
CASES = ("no argument", "two ints", "a str of 11", "an error")


def interpreters() -> dict[str, str]:
    """Return the interpreters that start here, by version; the system has one of its own."""
    pyenv = Path.home() / ".pyenv" / "versions"
    found: dict[str, list[Any]] = {
        version: [shutil.which(f"python{version}"), *pyenv.glob(f"{version}.*/bin/python")]
        for version in VERSIONS
    }
    found[OWN] = [shutil.which(SYSTEM)]
    started = {
        name: [it for path in paths if (it := _itself(path))] for name, paths in found.items()
    }
    return {name: paths[0] for name, paths in started.items() if paths}


def _itself(path: Any) -> str:
    """Return the interpreter behind a version manager's shim, or "" if it does not start."""
    if path is None:
        return ""
    program = "import sys; print(sys.executable)"
    done = subprocess.run([path, "-c", program], capture_output=True, text=True)
    return done.stdout.strip()


def measure(setting: Setting) -> Any:
    """Return the calls of each tool in each interpreter."""
    columns: dict[str, Any] = {}
    found = interpreters()
    missing = [version for version in (*VERSIONS, OWN) if version not in found]
    setting.absent |= dict.fromkeys(missing, "it is not installed here")
    for version, python in found.items():
        for tool in TOOLS:
            options = Options(python=python)
            columns |= calls(setting, tool, f"{tool} {version}", options, CASES)
    return columns or None


def show(found: Result, backends: list[str]) -> str:
    """Return a table by tool, and say how much the versions differ."""
    versions = list(dict.fromkeys(name.partition(" ")[2] for name in found))
    tables = []
    for tool in dict.fromkeys(name.partition(" ")[0] for name in found):
        columns = {v: found[f"{tool} {v}"] for v in versions if f"{tool} {v}" in found}
        first, *others = columns
        calm = {v: {row: column[row] for row in CASES[:-1]} for v, column in columns.items()}
        said = ranked(others, lambda one, calm=calm, first=first: times(calm, one, first))
        heading = f"`{tool}`, excluding errors, relative to {first}"
        tables.append(shown(f"{heading}: {said or 'no other interpreter'}.", columns))
    return "\n\n".join(tables)
