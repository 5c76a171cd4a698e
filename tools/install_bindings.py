"""The installation of the bindings in nox sessions; each is built once for each Python."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

import nox
from nox.command import CommandFailed

ROOT = Path(__file__).parents[1]
WHEELS = Path(os.environ.get("COOKBOOK_WHEELS") or ROOT / ".nox" / "wheels")
CI = bool(os.environ.get("CI"))
sys.path.insert(0, str(ROOT / "benchmarks" / "trust"))
import clean_build  # noqa: E402

PACKAGE = ("c_src", "bindings", "src", "CMakeLists.txt", "pyproject.toml")
SOURCES = {
    ".": (*PACKAGE, "README.md"),
    "./bindings/pyo3": ("rust_src", "bindings/pyo3"),
    "./bindings/torch": ("c_src", "bindings/torch"),
    "./lessons": ("lessons",),
}
"""By distribution, what its wheel is made from."""
FAMILIES = ("CARGO_", "CC", "CFLAGS", "CMAKE_", "CPP", "CXX", "LDFLAGS", "RUST", "SKBUILD_")
"""The beginnings of the variables that change how a wheel is built."""
UV = nox.virtualenv.UV if nox.virtualenv.HAS_UV else None
"""The uv that makes the environments, which need not be on PATH."""
PYPROJECT = nox.project.load_toml(ROOT / "pyproject.toml")
TORCH_BUILD = ["torch>=2.10", "scikit-build-core>=1.1", "cmake>=3.25", "ninja"]


def group(*names: str) -> tuple[str, ...]:
    """Return the requirements of dependency groups of pyproject.toml."""
    return nox.project.dependency_groups(PYPROJECT, *names)


def digest(source: str) -> str:
    """Return a hash of everything that a distribution's wheel is made from and by."""
    found = hashlib.sha256(Path(clean_build.__file__).read_bytes())
    for variable in sorted(os.environ):
        if variable.startswith(FAMILIES):
            found.update(f"{variable}={os.environ[variable]}\n".encode())
    for compiler in (os.environ.get("CC", "cc"), os.environ.get("CXX", "c++"), "rustc"):
        if shutil.which(compiler):
            found.update(subprocess.run([compiler, "--version"], capture_output=True).stdout)
    for path in clean_build.files(SOURCES[source]):
        found.update(f"{path.relative_to(ROOT)}\n".encode() + path.read_bytes())
    return found.hexdigest()[:16]


def built(session: nox.Session, source: str, clean: bool, *options: str) -> list[str]:
    """Return the arguments that install one of our distributions: its wheels.

    They are built once for all sessions of a Python; a `clean` one has a receipt, by which the
    benchmark knows how it was made. Without uv, pip builds the distribution while it installs it,
    unless it must be clean.
    """
    version = session.python or f"{sys.version_info.major}.{sys.version_info.minor}"
    wheels = WHEELS / f"{digest(source)}-{version}"
    if clean and not (wheels / clean_build.RECEIPT).exists():
        command = ("python", str(clean_build.__file__), source, str(wheels), *SOURCES[source], "--")
        session.run_install(*command, *options, silent=True, env={"UV": UV})
    elif UV is None and not clean:
        return [*options, source]
    elif not any(wheels.glob("*.whl")):
        python = shutil.which("python", path=session.bin)
        command = (str(UV), "build", "--wheel", "--python", str(python), "--out-dir", str(wheels))
        session.run_install(*command, *options, source, external=True, silent=True)
    return list(map(str, wheels.glob("*.whl")))


def attempt(session: nox.Session, backend: str, install: Callable[[], None]) -> None:
    """Install what a binding needs.

    A failure makes the binding unavailable, and ends the session only under CI.
    """
    try:
        install()
    except CommandFailed:
        if CI:
            raise
        session.warn(f"the {backend} binding could not be built and will be unavailable")


def install_bindings(session: nox.Session, clean: bool = False) -> None:
    """Build and install all three distributions, side by side: the main one, pyo3's and torch's.

    Timed distributions must be `clean`: built in a new folder of their own, with a receipt, for
    which readelf is needed. Under CI all are clean.
    """
    if clean and shutil.which("readelf") is None:
        session.error("readelf, which reads how objects were compiled, not found: install binutils")
    clean = clean or CI

    def torch() -> list[str]:
        session.install(*TORCH_BUILD)
        return built(session, "./bindings/torch", clean, "--no-build-isolation")

    jobs: dict[str, Callable[[], list[str]]] = {
        "the others": lambda: built(session, ".", clean),
        "torch": torch,
    }
    if shutil.which("cargo") or CI:
        jobs["pyo3"] = lambda: built(session, "./bindings/pyo3", clean)
    else:
        session.warn(
            "cargo not found: the pyo3 binding will be unavailable (install Rust with rustup)"
        )
    session.log(f"building the bindings, side by side: {', '.join(jobs)}")
    with ThreadPoolExecutor() as pool:
        running = {pool.submit(job): name for name, job in jobs.items()}
        for done in as_completed(running):
            session.log(f"{running[done]}: {'failed' if done.exception() else 'ready'}")
    for done, name in running.items():
        if name == "the others":
            session.install(*done.result())
        else:
            attempt(session, name, lambda done=done: session.install(*done.result()))
