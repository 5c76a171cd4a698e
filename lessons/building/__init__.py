"""Building a learner's file: one function for each kind of exercise.

A build is made in a folder of its own, plain or with sanitizers, and is found again by a hash of
everything that went into it.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from ..process import BOX
from . import cffi_api, compiled, cuda, cython, pyo3, scripts, templates, torch
from .job import BuildError, Job, cache, shared

__all__ = ["BUILDERS", "BuildError", "build"]

BUILDERS: dict[str, Callable[[Job], None]] = {
    "c": compiled.c,
    "cpp": compiled.cpp,
    "c_api": compiled.c_api,
    "cython": cython.cython,
    "rust": compiled.rust,
    "pyo3": pyo3.pyo3,
    "python": scripts.python,
    "cffi_api": cffi_api.cffi_api,
    "cuda": cuda.cuda,
    "pybind11": templates.pybind11,
    "nanobind": templates.nanobind,
    "torch": torch.torch,
}


def fingerprint(job: Job, kind: str) -> str:
    """Return a hash of everything that determines the result of a build."""
    digest = hashlib.sha256(repr((kind, job.sanitized, sys.version, job.source.name)).encode())
    ours = [*Path(__file__).parent.glob("*.[ph]*"), *BOX.glob("*.py")]
    for path in (job.source, *job.given, *sorted(ours)):
        digest.update(path.name.encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:32]


def build(kind: str, source: Path, given: tuple[Path, ...], sanitized: bool) -> Path:
    """Build the file and return the folder that holds the result.

    Raises:
        BuildError: The file has an error, or a tool is missing.
    """
    builder = BUILDERS[kind]
    goal = cache() / "built" / fingerprint(Job(source, given, Path(), sanitized), kind)
    if goal.is_dir():
        os.utime(goal)
        return goal
    goal.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    shared().mkdir(exist_ok=True, mode=0o700)
    folder = Path(tempfile.mkdtemp(dir=goal.parent))
    try:
        own = folder / "source"
        own.mkdir()
        paths = [Path(shutil.copy(path, own)) for path in (source, *given)]
        for path in given:
            if path.suffix == ".py":
                shutil.copy(path, folder)
        builder(Job(paths[0], tuple(paths[1:]), folder, sanitized))
        shutil.rmtree(own)
        try:
            folder.rename(goal)
        except OSError:  # another check has made the same build
            if not goal.is_dir():
                raise
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    _forget_old(goal.parent)
    return goal


def _forget_old(folder: Path, most: int = 400) -> None:
    entries = []
    for path in folder.glob("*"):
        with contextlib.suppress(FileNotFoundError):  # another check removes old builds too
            entries.append((path.stat().st_mtime, path))
    for _, path in sorted(entries)[:-most]:
        shutil.rmtree(path, ignore_errors=True)
