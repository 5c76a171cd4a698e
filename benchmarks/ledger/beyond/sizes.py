"""Bytes on the disk: a binding's own libraries, and the files that must be installed with it.

Its own libraries are measured as built and without their symbols. The others are the libraries that
it loads and a program with NumPy would not have (`_cffi_backend`, `_ctypes`), and the distributions
that it requires, with their requirements.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator, Sequence
from importlib.metadata import PackageNotFoundError, distribution
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from packaging.requirements import Requirement

REQUIRED = {"cffi": "cffi", "torch": "torch"}
"""The distribution that a binding needs at run time, besides NumPy."""


def measure(backend: str, files: Sequence[Sequence[str]]) -> dict[str, Any]:
    """Return the sizes by file and by distribution; `files` are those its imports loaded.

    `own` has bytes and stripped bytes by file (None without `strip`), `support` bytes by file, and
    `required` bytes by distribution.
    """
    libraries = [Path(path) for brought in files for path in brought if ".so" in Path(path).name]
    own = [path for path in libraries if is_own(backend, path)]
    return {
        "own": {path.name: [path.stat().st_size, stripped(path)] for path in own},
        "support": {path.name: path.stat().st_size for path in libraries if path not in own},
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
