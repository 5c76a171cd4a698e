"""Small extension modules, compiled from source with each technology's own tool.

The flags are the same for all, and so is the shape: one source file becomes one module in a folder.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from benchmarks.core import native

OPTIMISED, DEBUG = ("-O2", "-DNDEBUG"), ("-O0", "-g")
STABLE = "-DPy_LIMITED_API=0x030C0000"
"""The oldest version whose stable ABI all of these tools can use."""
SUFFIXES = {
    "capi": ".c", "cython": ".pyx", "pybind11": ".cpp", "nanobind": ".cpp", "cffi": ".py",
    "ctypes": ".c", "pyo3": ".rs", "torch": ".cpp",
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


class Options(NamedTuple):
    """The way in which a module is built."""

    flags: tuple[str, ...] = OPTIMISED
    stable: bool = False
    python: str = sys.executable
    directives: tuple[str, ...] = ()
    """Cython's, such as "binding=False"."""
    include: tuple[Path, ...] = ()


USUAL = Options()


class Built(NamedTuple):
    """A module in a folder that can be put on Python's path."""

    path: Path
    seconds: float

    @property
    def stripped(self) -> int:
        """Return the size of the file without symbols."""
        copy = self.path.with_suffix(".stripped")
        subprocess.run(["strip", "-o", str(copy), str(self.path)], check=True)
        return copy.stat().st_size


def build(tool: str, source: Path, folder: Path, options: Options = USUAL) -> Built:
    """Build the module that a source file is named after.

    Raises:
        ImportError: the tool is not installed, or refuses the source.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{source.stem}.so"
    start = time.perf_counter()
    if tool == "pyo3":
        _cargo(source, path, options)
        return Built(path, time.perf_counter() - start)
    more: tuple[str, ...] = ()
    if tool == "nanobind":
        more = (str(_nanobind(folder, options)),)
        start = time.perf_counter()  # nanobind's own library is built once for all modules
    elif tool == "torch":
        options, more = _torch(options)
    if tool == "cython":
        generated = folder / f"{source.stem}.c"
        directives = [word for one in options.directives for word in ("-X", one)]
        _run([sys.executable, "-m", "cython", "-3", *directives, source, "-o", generated])
        source = generated
    elif tool == "cffi":
        generated = folder / f"{source.stem}.c"
        _run([sys.executable, source, generated])
        source = generated
    _compile(source, path, options, "-shared", *more)
    return Built(path, time.perf_counter() - start)


def _compile(source: Path, output: Path, options: Options, *more: str) -> None:
    cxx = source.suffix == ".cpp"
    command = [shutil.which("g++") or "c++", "-std=c++17"] if cxx else [native.compiler()]
    command += [*options.flags, "-fPIC", "-fvisibility=hidden"]
    command += [STABLE] if options.stable else []
    includes = (*options.include, *headers(options.python))
    _run([*command, *(f"-I{path}" for path in includes), source, *more, "-o", output])


@cache
def headers(python: str) -> tuple[Path, ...]:
    """Return the folders with the headers of an interpreter and of the tools for C++."""
    program = "import sysconfig; print(sysconfig.get_path('include'))"
    found = [Path(_run([python, "-c", program]).strip())]
    if not (found[0] / "Python.h").exists():
        raise ImportError(f"{python} has no headers")
    try:
        import nanobind
        import pybind11
    except ImportError:
        return tuple(found)
    ours = Path(nanobind.__file__).parent
    return (*found, Path(pybind11.get_include()), ours / "include", ours / "ext/robin_map/include")


def _nanobind(folder: Path, options: Options) -> Path:
    """Compile nanobind's own library, once for each folder."""
    import nanobind

    output = folder / "nb_combined.o"
    if not output.exists():
        source = Path(nanobind.__file__).parent / "src" / "nb_combined.cpp"
        _compile(source, output, options, "-c", "-fno-strict-aliasing")
    return output


def _torch(options: Options) -> tuple[Options, tuple[str, ...]]:
    """Return the options and arguments for a library of PyTorch's stable ABI, found unimported."""
    found = find_spec("torch")
    if found is None or found.origin is None:
        raise ImportError("torch is not installed")
    root = Path(found.origin).parent
    wanted = (*options.flags, "-DTORCH_TARGET_VERSION=0x020a000000000000")
    include = (*options.include, root / "include")
    library = ("-L", str(root / "lib"), "-ltorch_cpu")
    return options._replace(flags=wanted, include=include), library


def _cargo(source: Path, path: Path, options: Options) -> None:
    cargo = shutil.which("cargo")
    if cargo is None:
        raise ImportError("cargo not found")
    crate = path.parent / f"{source.stem}-crate"
    crate.mkdir(exist_ok=True)
    features = ', features = ["abi3-py312"]' if options.stable else ""
    made = CRATE.format(name=source.stem, path=source, features=features)
    (crate / "Cargo.toml").write_text(made)
    profile = [] if options.flags == DEBUG else ["--release"]
    target = path.parent / "target"
    command = [cargo, "build", "--quiet", *profile, "--manifest-path", crate / "Cargo.toml"]
    _run([*command, "--target-dir", target], PYO3_PYTHON=options.python)
    made_by = target / ("release" if profile else "debug") / f"lib{source.stem}.so"
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
