"""The SHA-256 of every source of a door: the build keeps them, the benchmark asks if they hold.

`python sources.py DOOR FILE` writes them.
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


def sources(door: str) -> dict[str, str]:
    """By path from the root: the kernels that the door links, and its own pages."""
    return {
        path.relative_to(ROOT).as_posix(): sha256(path)
        for folder in (KERNELS.get(door, "c_src"), f"bindings/{door}")
        for path in sorted((ROOT / folder).rglob("*"))
        if path.suffix in SUFFIXES and BUILT.isdisjoint(path.relative_to(ROOT).parts)
    }


def sha256(path: Path) -> str:
    """Of a file, in hexadecimal."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


if __name__ == "__main__":
    door, file = sys.argv[1:]
    Path(file).write_text(json.dumps(sources(door), indent=1), "utf-8")
