"""The compilers and packages that the exercises need, and how to get those that are missing."""

from __future__ import annotations

import platform
import shutil
import subprocess
import sysconfig
from collections.abc import Iterator
from importlib import util
from pathlib import Path

from rich.console import Console

from .building.compiled import CC, CXX, RUSTC
from .building.cuda import NVCC, nvcc
from .building.pyo3 import CARGO
from .catalogue import exercises

PACKAGES = {
    "cython": ("Cython", {"cython"}),
    "cffi": ("cffi", {"cffi_api"}),
    "pybind11": ("pybind11", {"pybind11"}),
    "nanobind": ("nanobind", {"nanobind"}),
    "torch": ("torch", {"torch"}),
}
COMPILED = {"c", "c_api", "cython", "cffi_api", "python"}
CPP = {"cpp", "pybind11", "nanobind", "torch", "cuda"}


def missing() -> Iterator[tuple[str, str, set[str]]]:
    """Yield each missing tool: its name, how to get it, and the kinds of exercises that need it."""
    for (name, _, hint), kinds in (
        (CC, COMPILED),
        (CXX, CPP),
        (RUSTC, {"rust", "pyo3"}),
        (CARGO, {"pyo3"}),
    ):
        if shutil.which(name) is None:
            yield name, hint, kinds
    if not Path(sysconfig.get_path("include"), "Python.h").exists():
        yield (
            "Python.h",
            "on Debian and Ubuntu: apt install python3-dev",
            (COMPILED | CPP) - {"c", "cpp", "cuda"},
        )
    if nvcc() is None:
        yield *NVCC, {"cuda"}
    for package, (module, kinds) in PACKAGES.items():
        if util.find_spec(module) is None:
            yield package, f"pip install {package}", kinds
    if shutil.which("cc") and not _sanitizer():
        yield (
            "libasan",
            "on Fedora: dnf install libasan libubsan",
            COMPILED | CPP | {"rust", "pyo3"},
        )


def stopped(name: str, kinds: set[str]) -> int:
    """Return the number of exercises that are of these kinds or import the package."""
    return sum(
        exercise.kind in kinds or name in exercise.about.get("imports", ())
        for exercise in exercises()
    )


def _sanitizer() -> bool:
    done = subprocess.run(["cc", "-print-file-name=libasan.so"], capture_output=True, text=True)
    return Path(done.stdout.strip()).is_file()


def report(console: Console) -> int:
    """Print the missing tools and the exercises they stop; return 1 if there are any."""
    found = [each for each in missing() if stopped(each[0], each[2])]
    for name, hint, kinds in found:
        console.print(
            f"missing  {name}, for {stopped(name, kinds)} of the exercises: {hint}",
            soft_wrap=True,
        )
    if not found:
        console.print("All that the exercises need is here.")
    if platform.system() != "Linux":
        console.print(
            "Learners' code runs without a sandbox here; it has limits of time and memory."
        )
    return int(bool(found))
