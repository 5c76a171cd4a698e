"""Exercises in Python, with the C libraries that they call."""

from __future__ import annotations

import ast
import shutil

from lessons.building.compiled import CC
from lessons.building.job import BuildError, Job, run, tool


def parsed(job: Job) -> ast.Module:
    """Return the learner's file as a tree; raise BuildError if it is not Python."""
    try:
        return ast.parse(job.source.read_bytes(), job.source.name)
    except (SyntaxError, ValueError) as error:
        raise BuildError(str(error.args[0]), getattr(error, "lineno", 0) or 0) from None


def python(job: Job) -> None:
    """Copy the learner's file, and build each C file that is given to lib<name>.so beside it."""
    parsed(job)
    shutil.copy(job.source, job.folder / "exercise.py")
    for path in job.sources:
        flags = [*job.flags(), "-std=gnu17"]
        run(job, tool(*CC), *flags, "-o", f"lib{path.stem}.so", str(path), "-lm")
