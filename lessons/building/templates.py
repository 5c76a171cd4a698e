"""Exercises in pybind11 and nanobind, and what makes a file full of templates compile quickly.

What does not depend on the learner's code is compiled once for each variant: the headers that the
file includes from the library, as a precompiled header, and nanobind's runtime.
"""

from __future__ import annotations

import re
from dataclasses import replace
from importlib import metadata, util
from pathlib import Path

from .compiled import CXX, MODULE, compile_cpp, python_flags
from .job import FEWER_CHECKS, BuildError, Job, run, tool
from .parts import part

HEADERS = re.compile(r"^#include <((?:pybind11|nanobind|torch)/[\w/.]+)>", re.MULTILINE)
MOST_HEADERS = 6
"""Sets of headers that stay precompiled, of up to 150 MB each."""


def include_flags(kind: str) -> list[str]:
    """Return the options with which a compiler finds the headers of pybind11 or nanobind."""
    spec = util.find_spec(kind)
    if spec is None or spec.origin is None:
        return []
    root = Path(spec.origin).parent
    folders = [root / "include", root / "ext" / "robin_map" / "include"]
    return [part for folder in folders if folder.is_dir() for part in ("-isystem", str(folder))]


def nanobind(job: Job) -> None:
    """Build an extension module written with nanobind."""
    options = [*_options("nanobind"), *(FEWER_CHECKS if job.sanitized else ())]
    header = precompiled(job, "nanobind", options)
    runtime = part(
        "nanobind-runtime",
        _made_of(job, "nanobind", options),
        lambda to: _runtime(job, to, options),
    )
    compile_cpp(job, *options, *header, str(runtime / "nanobind.o"), output=MODULE)


def pybind11(job: Job) -> None:
    """Build an extension module written with pybind11."""
    options = [*_options("pybind11"), *(FEWER_CHECKS if job.sanitized else ("-O1",))]
    header = precompiled(job, "pybind11", options)
    compile_cpp(job, *options, *header, output=MODULE)


def _options(kind: str) -> list[str]:
    flags = include_flags(kind)
    if not flags:
        raise BuildError(f"{kind} is not installed: pip install {kind}", rule="missing-tool")
    return [*flags, *python_flags(), "-fvisibility=hidden", "-g1"]


def _made_of(job: Job, kind: str, options: list[str]) -> object:
    return metadata.version(kind), Path(__file__).read_bytes(), job.sanitized, options


def precompiled(job: Job, kind: str, options: list[str]) -> tuple[str, ...]:
    """Return the options that read the library's headers that the file includes, in compiled form.

    No other header is in it: a learner who forgets to include one has to see what happens.
    """
    names = HEADERS.findall(job.source.read_text("utf-8", "replace"))
    if not names:
        return ()
    made_of = _made_of(job, kind, options), names

    def make(folder: Path) -> None:
        lines = (f"#include <{name}>\n" for name in names)
        (folder / "first.h").write_text("".join(lines), "utf-8")
        _compile(job, folder, options, "-x", "c++-header", "first.h", "-o", "first.h.gch")

    folder = part(f"{kind}-headers", made_of, make, most=MOST_HEADERS)
    return "-include", str(folder / "first.h")


def _runtime(job: Job, folder: Path, options: list[str]) -> None:
    include = next(path for path in options if path.endswith("nanobind/include"))
    source = Path(include).parent / "src" / "nb_combined.cpp"
    _compile(job, folder, [*options, "-fno-strict-aliasing"], "-c", str(source), "-o", "nanobind.o")


def _compile(job: Job, folder: Path, options: list[str], *command: str) -> None:
    """Run the compiler with the options of the learner's file, as a precompiled header asks."""
    inner = replace(job, folder=folder, given=())
    flags = [flag for flag in inner.flags() if flag != "-shared"]
    if job.sanitized:
        flags.append("-D_GLIBCXX_ASSERTIONS")
    run(inner, tool(*CXX), *flags, "-std=c++20", *options, *command)
