"""Exercises in Python, with the C libraries that they call."""

from __future__ import annotations

import ast
import shutil
import threading
from pathlib import Path

from .compiled import CC
from .job import BuildError, Job, run, tool
from .parts import part

_PARSING = threading.Lock()
"""CPython 3.11 counts the depth of all threads' trees together, and then raises SystemError."""


def parsed(job: Job) -> ast.Module:
    """Return the learner's file as a tree; raise BuildError if it is not Python."""
    try:
        with _PARSING:
            return ast.parse(job.source.read_bytes(), job.source.name)
    except (SyntaxError, ValueError) as error:
        raise BuildError(str(error.args[0]), getattr(error, "lineno", 0) or 0) from None
    except (MemoryError, RecursionError):
        raise BuildError("an expression or a block is nested too deeply") from None


def python(job: Job) -> None:
    """Copy the learner's file, and build each C file that is given to lib<name>.so beside it.

    The libraries are built once, since they do not depend on the learner's file.
    """
    parsed(job)
    shutil.copy(job.source, job.folder / "exercise.py")
    if job.sources:
        inputs = [(path.name, path.read_bytes()) for path in job.given]
        made_of = Path(__file__).read_bytes(), job.sanitized, inputs
        libraries = part("libraries", made_of, lambda folder: _compile(job, folder), most=50)
        shutil.copytree(libraries, job.folder, dirs_exist_ok=True)


def _compile(job: Job, folder: Path) -> None:
    for path in job.sources:
        library = f"lib{path.stem}.so"
        run(job, tool(*CC), *job.flags(), "-std=gnu17", "-o", library, str(path), "-lm")
        shutil.move(job.folder / library, folder)
