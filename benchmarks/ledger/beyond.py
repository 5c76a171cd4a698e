"""Costs of a binding other than the time of a call: its files, and its import.

Import times are of new processes, which have imported NumPy and what all bindings share; torch,
which has users of its own, is imported before its binding. Every file is in the page cache, as on
the second start of a program.

A binding's own libraries are measured as built and without their symbols; beside them stand the
distributions that it requires, with their requirements.
"""

from __future__ import annotations

import random
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import PackageNotFoundError, distribution
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from packaging.requirements import Requirement

from benchmarks.core import machine
from benchmarks.core.process import ask

IMPORTS = {"quick": 1, "usual": 3, "full": 9}
"""The number of processes that import each binding."""
TECHNOLOGY = {"torch": "torch"}
"""By binding, the technology that is imported first; it takes long, so no more than thrice."""
REQUIRED = {"cffi": "cffi", "torch": "torch"}
"""The distribution that a binding needs at run time, besides NumPy."""


def measure(backends: Sequence[str], effort: str) -> dict[str, dict[str, Any]]:
    """Return the sizes, and the seconds of imports, by binding, for Results.beyond."""
    with ThreadPoolExecutor(machine.cores()) as pool:
        files = dict(zip(backends, pool.map(imported, backends), strict=True))
    found = {
        backend: {"sizes": sizes(backend, files[backend]["files"]), "imports": []}
        for backend in backends
    }
    for turn in range(IMPORTS[effort]):
        for backend in random.sample(backends, len(backends)):
            if turn < 3 or backend not in TECHNOLOGY:
                found[backend]["imports"].append(imported(backend)["seconds"])
    return found


def imported(backend: str) -> Any:
    """Import a binding in a new process, and return the seconds and files of its import."""
    job = [TECHNOLOGY.get(backend, "numpy"), f"ffi_cookbook.bindings.{backend}"]
    return ask("ledger.importing", job)


def sizes(backend: str, files: Sequence[str]) -> dict[str, Any]:
    """Return the sizes by file and by distribution; `files` are those its import loaded.

    `own` has bytes and stripped bytes by file (None without `strip`), and `required` bytes by
    distribution.
    """
    libraries = [Path(path) for path in files if ".so" in Path(path).name]
    own = [path for path in libraries if is_own(backend, path)]
    return {
        "own": {path.name: [path.stat().st_size, stripped(path)] for path in own},
        "required": {
            name: _size(name) for name in sorted(set(requirements(REQUIRED.get(backend))))
        },
    }


def is_own(backend: str, path: Path) -> bool:
    """Return True for a file of this project."""
    above = path.parts[:-1]
    apart = any(folder.startswith("ffi_cookbook_") for folder in above)
    return apart or ("bindings", backend) in pairwise(above)


def stripped(path: Path) -> int | None:
    """Return the size without symbols and debug information."""
    strip = shutil.which("strip")
    if strip is None:
        return None
    with TemporaryDirectory() as folder:
        copy = Path(folder, path.name)
        subprocess.run([strip, "-o", copy, path], check=True)
        return copy.stat().st_size


def requirements(name: str | None) -> Iterator[str]:
    """Return a distribution and its installed requirements, except NumPy's."""
    waiting, seen = [name] if name else [], {"numpy"}
    while waiting:
        if (one := waiting.pop()) in seen:
            continue
        seen.add(one)
        try:
            needs = map(Requirement, distribution(one).requires or [])
        except PackageNotFoundError:
            continue
        yield one
        waiting += [
            it.name for it in needs if it.marker is None or it.marker.evaluate({"extra": ""})
        ]


def _size(name: str) -> int:
    files = (Path(str(file.locate())) for file in distribution(name).files or [])
    return sum(path.stat().st_size for path in files if path.is_file())
