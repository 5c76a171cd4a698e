"""Small extension modules, compiled from source with each technology's own tool.

The flags are the same for all, and so is the shape: one source file becomes one module in a folder.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from benchmarks.core import native

OPTIMISED = ("-O2", "-DNDEBUG")
STABLE = "-DPy_LIMITED_API=0x030C0000"
"""The oldest version whose stable ABI all of these tools can use."""
SUFFIXES = {
    "capi": ".c", "cython": ".pyx", "pybind11": ".cpp", "nanobind": ".cpp", "pyo3": ".rs"
}  # fmt: skip
CRATE = """\
[package]
name = "{name}"
version = "0.0.0"
edition = "2024"
[lib]
path = "{path}"
crate-type = ["cdylib"]
[dependencies]
pyo3 = {{ version = "0.30"{features} }}
[profile.release]
codegen-units = 1
"""


def build(tool: str, source: Path, folder: Path, stable: bool = False) -> Path:
    """Build the module that a source file is named after, and return its path.

    Raises:
        ImportError: the tool is not installed, or refuses the source.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{source.stem}.so"
    if source.suffix == ".py":  # its package compiles it
        _place(tool)
        return source
    if tool == "pyo3":
        _cargo(source, path, stable)
        return path
    more = (str(_nanobind(folder, stable)),) if tool == "nanobind" else _installed(tool)
    if tool == "cython":
        generated = folder / f"{source.stem}.c"
        _run([sys.executable, "-m", "cython", "-3", source, "-o", generated])
        source = generated
    _compile(source, path, stable, "-shared", *more)
    return path


def _compile(source: Path, output: Path, stable: bool, *more: str) -> None:
    cxx = source.suffix == ".cpp"
    command = [shutil.which("g++") or "c++", "-std=c++17"] if cxx else [native.compiler()]
    command += [*OPTIMISED, "-fPIC", "-fvisibility=hidden"]
    command += [STABLE] if stable else []
    includes = [f"-I{path}" for path in headers()]
    _run([*command, *includes, source, *more, "-o", output])


def _installed(tool: str) -> tuple[str, ...]:
    """Return the compiler's arguments for a package that brings headers and libraries."""
    libraries = {"tvm_ffi": ("tvm_ffi",), "torch": ("torch_python", "torch_cpu", "c10")}
    if tool not in libraries:
        return ()
    place = _place(tool)
    linked = [f"-l{name}" for name in libraries[tool]]
    api = ("-std=c++20", f"-I{place}/include/torch/csrc/api/include") if tool == "torch" else ()
    return (*api, f"-I{place}/include", f"-L{place}/lib", "-Wl,--as-needed", *linked)


def _place(package: str) -> Path:
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        raise ImportError(f"{package} is not installed")
    return Path(spec.origin).parent


@cache
def headers() -> tuple[Path, ...]:
    """Return the folders with the headers of this interpreter and of the tools for C++."""
    import nanobind
    import numpy
    import pybind11

    ours = Path(nanobind.__file__).parent
    found = (sysconfig.get_path("include"), numpy.get_include(), pybind11.get_include())
    return (*map(Path, found), ours / "include", ours / "ext/robin_map/include")


def _nanobind(folder: Path, stable: bool) -> Path:
    """Compile nanobind's own library, once for each folder."""
    import nanobind

    output = folder / "nb_combined.o"
    if not output.exists():
        source = Path(nanobind.__file__).parent / "src" / "nb_combined.cpp"
        _compile(source, output, stable, "-c", "-fno-strict-aliasing")
    return output


def _cargo(source: Path, path: Path, stable: bool) -> None:
    cargo = shutil.which("cargo")
    if cargo is None:
        raise ImportError("cargo not found")
    crate = path.parent / f"{source.stem}-crate"
    crate.mkdir(exist_ok=True)
    features = ', features = ["abi3-py312"]' if stable else ""
    made = CRATE.format(name=source.stem, path=source, features=features)
    (crate / "Cargo.toml").write_text(made)
    target = path.parent / "target"
    command = [cargo, "build", "--quiet", "--release", "--manifest-path", crate / "Cargo.toml"]
    _run([*command, "--target-dir", target], PYO3_PYTHON=sys.executable)
    made_by = target / "release" / f"lib{source.stem}.so"
    shutil.copy(made_by, path)


def _run(command: Sequence[object], **variables: str) -> str:
    done = subprocess.run(
        [str(word) for word in command],
        capture_output=True,
        text=True,
        env={**os.environ, **variables},
    )
    if done.returncode:
        raise ImportError(f"{command[0]} failed: {done.stderr.strip()[-500:]}")
    return done.stdout
