"""Exercises in compiled languages."""

from __future__ import annotations

import sysconfig
from pathlib import Path

from .job import Job, run, tool

CC = ("cc", "CC", "on Debian and Ubuntu: apt install gcc; on macOS: xcode-select --install")
CXX = ("c++", "CXX", "on Debian and Ubuntu: apt install g++; on macOS: xcode-select --install")
RUSTC = ("rustc", "RUSTC", "https://rustup.rs")
LIBRARY = "exercise.so"
MODULE = "exercise" + str(sysconfig.get_config_var("EXT_SUFFIX"))


def python_flags() -> list[str]:
    """Return the options with which a compiler finds the headers of Python and NumPy."""
    import numpy as np

    places = [sysconfig.get_path("include"), np.get_include()]
    return [option for place in places for option in ("-isystem", place)]


def compile_c(job: Job, source: Path, *options: str, output: str) -> None:
    """Compile a C file and the C files that are given to a shared library."""
    sources = map(str, [source, *job.sources])
    flags = [*job.flags(), "-std=gnu17", f"-I{source.parent}", *options]
    run(job, tool(*CC), *flags, "-o", output, *sources, "-lm")


def compile_cpp(job: Job, *options: str, output: str) -> None:
    """Compile the learner's C++ file and the C files that are given to a shared library."""
    objects = []
    for path in job.sources:
        flags = [flag for flag in job.flags() if flag != "-shared"]
        run(job, tool(*CC), *flags, "-c", "-o", f"{path.stem}.o", str(path))
        objects.append(f"{path.stem}.o")
    flags = [*job.flags(), "-std=c++20", f"-I{job.source.parent}", *options]
    if job.sanitized:
        flags.append("-D_GLIBCXX_ASSERTIONS")
    run(job, tool(*CXX), *flags, "-o", output, str(job.source), *objects)


def c(job: Job) -> None:
    """Build a shared library of C functions, which the driver calls by ctypes."""
    compile_c(job, job.source, output=LIBRARY)


def cpp(job: Job) -> None:
    """Build a shared library of C++ with functions that are `extern "C"`."""
    compile_cpp(job, output=LIBRARY)


def c_api(job: Job) -> None:
    """Build an extension module written with Python's C API."""
    compile_c(job, job.source, *python_flags(), output=MODULE)


def rust(job: Job) -> None:
    """Build a shared library of Rust functions that are `extern "C"`."""
    compile_rust(job, output=LIBRARY)


def compile_rust(job: Job, *options: str, output: str) -> None:
    """Compile the learner's Rust file, and the modules that are given, to a shared library.

    AddressSanitizer is an unstable option of rustc, which RUSTC_BOOTSTRAP unlocks in a stable one;
    its runtime library is the C compiler's, loaded before. The assertions are those of a debug
    build: arithmetic that overflows, and the conditions of the standard library's unsafe functions.
    """
    kind, variables = ["-Copt-level=3"], {}
    if job.sanitized:
        kind = ["-Copt-level=1", "-Cdebug-assertions", "-Zsanitizer=address"]
        variables = {"RUSTC_BOOTSTRAP": "1"}
    names = ["--edition=2024", "--crate-name=exercise", "--crate-type=cdylib"]
    flags = [*names, *kind, "-g", "-Cforce-frame-pointers=yes", "--error-format=short", *options]
    run(job, tool(*RUSTC), *flags, "-o", output, str(job.source), variables=variables)
