"""The SHA-256 of every source of a binding: the build keeps them, the benchmark asks if they hold.

`python sources.py BACKEND FILE` writes them.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
KERNELS = {"cython": "cython_src", "pyo3": "rust_src/src"}  # all others: c_src
SUFFIXES = {".c", ".h", ".cpp", ".hpp", ".pyx", ".pxd", ".pxi", ".rs"}
BUILT = {"build", "target"}


def sources(backend: str) -> dict[str, str]:
    """By path from the root: the kernels that the binding links, and its own pages."""
    return {
        path.relative_to(ROOT).as_posix(): sha256(path)
        for folder in (KERNELS.get(backend, "c_src"), f"bindings/{backend}")
        for path in sorted((ROOT / folder).rglob("*"))
        if path.suffix in SUFFIXES and BUILT.isdisjoint(path.relative_to(ROOT).parts)
    }


def sha256(path: Path) -> str:
    """Of a file, in hexadecimal."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


if __name__ == "__main__":
    backend, file = sys.argv[1:]
    Path(file).write_text(json.dumps(sources(backend), indent=1), "utf-8")
