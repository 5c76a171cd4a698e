"""The time to compile a binding, and to compile it again after a change of its matmul page.

Each binding is built alone, in a copy of the tree, with the kernels of C or Rust built before the
clock starts; Cython's are in its pages. The time of a build with nothing to do is subtracted.
Configuring and downloading are not counted, but a technology's own code is: nanobind's library,
pyo3's crates.
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from benchmarks import REFERENCES, ROOT

AGAIN = 3
COMPILED = (".c", ".cpp", ".pyx", ".rs")
LEFT_OUT = (".*", "*.so", "__pycache__", "build", "dist", "target", "docs", "tests")


class Steps(NamedTuple):
    """The commands of a binding."""

    prepare: list[list[str]]
    """What is not counted: configuring, and the kernels."""
    build: list[str]


def measure(backends: Sequence[str]) -> dict[str, Any]:
    """Return [seconds elapsed, processor seconds] by binding, or the reason why there are none.

    `cold` is a first build and `again` a second one, each None if there is nothing to compile.
    """
    found: dict[str, Any] = {}
    for backend in backends:
        if backend not in REFERENCES:
            try:
                with TemporaryDirectory(prefix="build-") as folder:
                    found[backend] = build(backend, Path(folder))
            except (FileNotFoundError, subprocess.CalledProcessError) as failure:
                found[backend] = {"reason": str(failure)}
    return found


def build(backend: str, folder: Path) -> dict[str, Any]:
    """Build a binding twice."""
    tree = folder / "tree"
    shutil.copytree(ROOT, tree, ignore=shutil.ignore_patterns(*LEFT_OUT))
    prepare, command = _cargo(tree, folder) if backend == "pyo3" else _cmake(backend, tree, folder)
    for preparation in prepare:
        clocked(preparation)
    whole, nothing = clocked(command), clocked(command)
    pages = (tree / "bindings" / backend / f"matmul{end}" for end in COMPILED)
    page = next(filter(Path.exists, pages), None)
    again = []
    if page is not None:
        for _ in range(AGAIN):
            page.touch()
            again.append(clocked(command))

    def above(times: tuple[float, float]) -> list[float]:
        return [max(0.0, one - base) for one, base in zip(times, nothing, strict=True)]

    return {"cold": above(whole), "again": above(min(again)) if again else None}


def clocked(command: list[str]) -> tuple[float, float]:
    """Run a command and return its elapsed seconds and its processor seconds."""
    before, start = _processors(), time.monotonic()
    environment = {**os.environ, "PYO3_PYTHON": sys.executable}
    subprocess.run(command, check=True, capture_output=True, env=environment)
    return time.monotonic() - start, _processors() - before


def _cmake(backend: str, tree: Path, folder: Path) -> Steps:
    where = str(folder / "build")
    compile_ = ["cmake", "--build", where]
    if backend == "torch":
        source, options, kernels = tree / "bindings" / "torch", [], ["cookbook"]
    else:
        source, options = tree, [f"-DCOOKBOOK_BINDINGS={backend}"]
        kernels = ["cookbook"] if backend == "ctypes" else ["cookbook", "cookbook_shared"]
    options.append(f"-DPython_EXECUTABLE={sys.executable}")
    configure = ["cmake", "-S", str(source), "-B", where, "-G", "Ninja", *options]
    return Steps([configure, [*compile_, "--target", *kernels]], compile_)


def _cargo(tree: Path, folder: Path) -> Steps:
    project = ["--manifest-path", str(tree / "bindings" / "pyo3" / "Cargo.toml"), "--locked"]
    compile_ = ["cargo", "build", "--release", *project, "--target-dir", str(folder / "build")]
    fetch = ["cargo", "fetch", *project]
    return Steps([fetch, [*compile_, "--package", "cookbook-kernels"]], compile_)


def _processors() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
