"""The benchmark's own C code, compiled when it is needed."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

from benchmarks import ROOT
from benchmarks.trust.clean_build import RECORD, recorded
from benchmarks.trust.flags import added

PEAK = Path(__file__).with_name("peak.c")


class WrongFlags(ImportError):
    """A file was compiled with flags that the benchmark had not given."""


def compiler() -> str:
    """Return a C compiler; raise ImportError if there is none."""
    found = shutil.which(os.environ.get("CC", "cc")) or shutil.which("gcc") or shutil.which("clang")
    if found is None:
        raise ImportError("no C compiler")
    return found


def shared(source: Path, folder: Path, *flags: str) -> Path:
    """Compile a C file into a shared library in a folder, once, and return its path.

    Raises:
        ImportError: there is no C compiler, or it refuses the file, for a header that is missing.
        WrongFlags: it recorded flags that it was not given here, or none. A wrapper around the
            compiler may add such flags.
    """
    path = folder / f"{source.stem}.so"
    if not path.exists():
        command = [compiler(), "-shared", "-fPIC", RECORD, str(source), *(flags or ("-O2",))]
        done = subprocess.run([*command, "-o", str(path)], capture_output=True, text=True)
        if done.returncode:
            raise ImportError(f"{source.name} could not be built: {done.stderr.strip()}")
        unit = {"command": " ".join(command), "record": recorded(path), "lto": False}
        if more := added(unit):
            path.unlink()
            raise WrongFlags(f"{command[0]} has compiled {source.name} with {', '.join(more)}")
    return path


@cache
def beside_kernels(source: Path, folder: Path, *flags: str) -> Any:
    """Load a C file that calls the kernels, in the library of the ctypes binding."""
    from ffi_cookbook.bindings.ctypes.library import lib

    kernels = Path(lib._name)
    link = (f"-I{ROOT / 'c_src'}", str(kernels), f"-Wl,-rpath,{kernels.parent}")
    return ctypes.CDLL(str(shared(source, folder, *(flags or ("-O2",)), *link)))


def peak(folder: Path) -> Any:
    """Return peak(rounds, address of a float): multiply-adds that do not wait for each other."""
    library = shared(PEAK, folder, "-O3", "-ffp-contract=fast")
    function = ctypes.CDLL(str(library)).peak
    function.argtypes, function.restype = (ctypes.c_size_t, ctypes.c_void_p), ctypes.c_size_t
    return function
