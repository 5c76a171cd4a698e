"""Exercises in Cython.

The file is translated once for both variants. The code behind typed memoryviews, three quarters of
the generated code, is a module of its own that is built once (`cython --shared`).
"""

from __future__ import annotations

import shutil
import sys
from dataclasses import replace
from importlib import metadata
from pathlib import Path

from .bytecode import bytecode
from .compiled import MODULE, compile_c, python_flags
from .job import FEWER_CHECKS, BuildError, Job, run
from .parts import part

SHARED = "_cyutility"


def cython(job: Job) -> None:
    """Build an extension module written in Cython; its lines are those of the .pyx file."""
    try:
        version = metadata.version("cython")
    except metadata.PackageNotFoundError:
        raise BuildError(
            "Cython is not installed: pip install cython", rule="missing-tool"
        ) from None
    made_of = version, Path(__file__).read_bytes()
    runtime = part("cython", made_of, lambda folder: _build_runtime(job, folder))
    shutil.copy(next(runtime.glob(f"{SHARED}.*")), job.folder)
    inputs = [(path.name, path.read_bytes()) for path in (job.source, *job.given)]
    key = made_of, inputs
    translated = part("translated", key, lambda folder: _translate(job, folder), most=100)
    generated = Path(shutil.copy(translated / "exercise.c", job.folder))
    options = [*python_flags(), "-Wno-all", *(FEWER_CHECKS if job.sanitized else ())]
    compile_c(job, generated, *options, output=MODULE)
    generated.unlink()


def _build_runtime(job: Job, folder: Path) -> None:
    inner = replace(job, folder=folder, given=(), sanitized=False)
    source = folder / f"{SHARED}.c"
    run(inner, sys.executable, "-m", "cython", "--generate-shared", str(source))
    output = MODULE.replace("exercise", SHARED)
    compile_c(inner, source, *python_flags(), "-O1", "-g0", "-Wno-all", output=output)
    source.unlink()


def _translate(job: Job, folder: Path) -> None:
    options = ["-3", "--line-directives", f"--shared={SHARED}", "-I", str(job.source.parent)]
    command = [sys.executable, "-m", "cython", *options, "-o", "exercise.c", str(job.source)]
    run(job, *command, variables=bytecode("Cython"))
    shutil.move(job.folder / "exercise.c", folder)
