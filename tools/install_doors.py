"""How a nox session gets the doors. Each is built once for all sessions of a Python."""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import nox
from nox.command import CommandFailed

ROOT = Path(__file__).parents[1]
WHEELS = Path(os.environ.get("COOKBOOK_WHEELS") or ROOT / ".nox" / "wheels")
CI = bool(os.environ.get("CI"))
SOURCES = (
    *("c_src", "cython_src", "rust_src", "bindings", "benchmarks/honesty"),
    *("CMakeLists.txt", "pyproject.toml", "README.md"),
)
MADE = {"__pycache__", "build", "target"}
PYPROJECT = nox.project.load_toml(ROOT / "pyproject.toml")
TORCH_BUILD = ["torch>=2.10", "scikit-build-core>=1.1", "cmake>=3.25", "ninja"]


def group(name: str) -> list[str]:
    """The requirements of a dependency group of pyproject.toml."""
    return nox.project.dependency_groups(PYPROJECT, name)


def digest() -> str:
    """Changes with whatever a wheel is made from."""
    found = hashlib.sha256()
    for variable in ("CC", "CXX", "CFLAGS", "CXXFLAGS", "LDFLAGS", "RUSTFLAGS", "CMAKE_ARGS"):
        found.update(f"{variable}={os.environ.get(variable)}\n".encode())
    for name in SOURCES:
        for path in [ROOT / name] if (ROOT / name).is_file() else sorted((ROOT / name).rglob("*")):
            if path.is_file() and not MADE.intersection(path.relative_to(ROOT).parts):
                found.update(f"{path.relative_to(ROOT)}\n".encode() + path.read_bytes())
    return found.hexdigest()[:16]


def install_built(session: nox.Session, source: str, *options: str) -> None:
    """Installs a distribution of ours. It is built once for all sessions of a Python."""
    if shutil.which("uv") is None:
        session.install(*options, source)
        return
    version = session.python or f"{sys.version_info.major}.{sys.version_info.minor}"
    wheels = WHEELS / f"{digest()}-{version}" / Path(source).name
    if not any(wheels.glob("*.whl")):
        python = shutil.which("python", path=session.bin)
        command = ("uv", "build", "--wheel", "--python", str(python), "--out-dir", str(wheels))
        session.run(*command, *options, source, external=True, silent=True)
    session.install(*map(str, wheels.glob("*.whl")))


def attempt(session: nox.Session, door: str, install: Callable[[], None]) -> None:
    """Installs what a door needs; a failure shuts the door, and only under CI ends the session."""
    try:
        install()
    except CommandFailed:
        if CI:
            raise
        session.warn(f"the {door} door could not be built and will be unavailable")


def install_doors(session: nox.Session) -> None:
    """Builds and installs all three distributions: the main one, pyo3's and torch's."""
    install_built(session, ".")
    if shutil.which("cargo") or CI:
        attempt(session, "pyo3", lambda: install_built(session, "./bindings/pyo3"))
    else:
        session.warn(
            "cargo not found: the pyo3 door will be unavailable (install Rust with rustup)"
        )

    def torch() -> None:
        session.install(*TORCH_BUILD)
        install_built(session, "./bindings/torch", "--no-build-isolation")

    attempt(session, "torch", torch)
