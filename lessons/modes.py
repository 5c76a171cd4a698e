"""The modes of a check, and the way in which a process runs the build of a mode."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from . import process
from .building import BuildError, build
from .building.bytecode import bytecode
from .catalogue import Exercise
from .process import Limits, Place

PYTHON = {"python"}
"""The kinds without a compiled file of the learner's."""


@dataclass(frozen=True)
class Mode:
    """One way of running the cases."""

    name: str
    sanitized: bool = False
    options: tuple[str, ...] = ()


RELEASE = Mode("release")


def modes(exercise: Exercise) -> list[Mode]:
    """Return the modes that can find a fault in such an exercise."""
    found = [RELEASE, Mode("development", options=("-X", "dev"))]
    if exercise.kind not in PYTHON or any(path.suffix == ".c" for path in exercise.given):
        found.append(Mode("sanitized", sanitized=True))
    wanted = exercise.about.get("modes")
    return [mode for mode in found if not wanted or mode.name in wanted]


@contextmanager
def box(exercise: Exercise, built: Path) -> Iterator[Path]:
    """Yield a folder of its own with the built files and the exercise's driver."""
    with tempfile.TemporaryDirectory() as own:
        folder = Path(own) / "box"
        shutil.copytree(built, folder)
        driver = exercise.folder / "drive.py"
        if driver.exists():
            shutil.copy(driver, folder)
        yield folder


def place(
    exercise: Exercise, folder: Path, limits: Limits | None = None, mode: Mode = RELEASE
) -> Place:
    """Return the way in which a process runs the files of the folder."""
    about = exercise.about
    limits = limits or Limits(seconds=about.get("seconds", Limits.seconds))
    if "memory" in about:
        limits = replace(limits, memory=about["memory"] << 20)
    imports = tuple(about.get("imports", ()))
    variables = dict(sanitizer_variables() if mode.sanitized else ())
    if exercise.kind == "torch":
        variables.pop("PYTHONMALLOC", None)  # an operator makes no objects of Python
    variables.update(bytecode(*imports))
    return Place(
        folder,
        library="exercise.so" if (folder / "exercise.so").exists() else "",
        imports=imports,
        options=mode.options,
        crash="" if mode.sanitized else str(library("c", "crash.c")),
        count="" if mode.sanitized else str(library("c_api", "count.c")),
        limits=limits,
        sanitized=mode.sanitized,
        variables=tuple(variables.items()),
        forked=bool(about.get("forks", False)),
    )


@cache
def sanitizer_variables() -> tuple[tuple[str, str], ...]:
    """Return the environment in which an interpreter loads sanitized modules."""
    names = ("libasan.so", "libubsan.so", "libstdc++.so.6")
    found = [
        subprocess.run(["cc", f"-print-file-name={name}"], capture_output=True, text=True).stdout
        for name in names
    ]
    options = "detect_leaks=0:allocator_may_return_null=1:detect_stack_use_after_return=1"
    # faulthandler shows the Python frames of an abort; a fault is reported by AddressSanitizer.
    options += ":abort_on_error=1:handle_segv=2:handle_sigbus=2:handle_sigfpe=2:handle_sigill=2"
    return (
        ("LD_PRELOAD", ":".join(path.strip() for path in found)),
        ("ASAN_OPTIONS", f"{options}:handle_abort=1:hard_rss_limit_mb=4096"),
        ("UBSAN_OPTIONS", "print_stacktrace=0:abort_on_error=1"),
        ("PYTHONMALLOC", "malloc"),
    )


def library(kind: str, name: str) -> Path | str:
    """Return a library of the box, built, or nothing without a compiler.

    It is looked up each time, which also marks it as in use, since old builds are removed.
    """
    try:
        folder = build(kind, process.BOX / name, (), False)
    except BuildError:
        return ""
    return next(folder.glob("exercise*.so"))
