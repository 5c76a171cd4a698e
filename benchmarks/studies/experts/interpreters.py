"""Does the version of Python, or the way it was built, change the order of the technologies?"""

from __future__ import annotations

import shutil
import subprocess
from typing import Any

from benchmarks.core.extensions import Options
from benchmarks.studies.experts.common import TOOLS, Found, calls, ranked, shown, times
from benchmarks.study import Setting

VERSIONS = ("3.11", "3.12", "3.13", "3.14")
DEBIAN = "/usr/bin/python3"
CASES = ("no argument", "two ints", "a str of 11", "an error")


def interpreters() -> dict[str, str]:
    """Return the interpreters that start here, by version; the system's one has a name of its own."""
    found = {f"{version}": shutil.which(f"python{version}") for version in VERSIONS}
    found["system's"] = shutil.which(DEBIAN)
    return {name: _itself(path) for name, path in found.items() if path and _itself(path)}


def _itself(path: str) -> str:
    """Return the interpreter behind a version manager's shim, or "" if it does not start."""
    program = "import sys, sysconfig; print(sys.executable)"
    done = subprocess.run([path, "-c", program], capture_output=True, text=True)
    return done.stdout.strip()


def measure(setting: Setting) -> Any:
    """Return the calls of each tool in each interpreter."""
    columns: dict[str, Any] = {}
    for version, python in interpreters().items():
        for tool in TOOLS:
            options = Options(python=python)
            columns |= calls(setting, tool, f"{tool} {version}", options, CASES)
    return columns or None


def show(found: Found, backends: list[str]) -> str:
    """Return a table by tool, and say how much the versions differ."""
    versions = list(dict.fromkeys(name.partition(" ")[2] for name in found))
    tables = []
    for tool in dict.fromkeys(name.partition(" ")[0] for name in found):
        columns = {v: found[f"{tool} {v}"] for v in versions if f"{tool} {v}" in found}
        first, *others = columns
        said = ranked(others, lambda one, columns=columns, first=first: times(columns, one, first))
        tables.append(shown(f"`{tool}`, against {first}: {said or 'no other interpreter'}.", columns))
    return "\n\n".join(tables)
