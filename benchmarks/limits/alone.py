"""The kernels alone: a function for each type, which calls the kernel `times` times."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
SIZES = (8, 32, 64, 128, 256, 512)
LASTS = 5e-3
RUSTC = ("rustc", "--edition", "2024", "-C", "opt-level=3", "-C", "codegen-units=1")

Alone = Callable[[Any, Any, Any], float]
"""Seconds of a product, of many made in a row."""


def c(folder: Path) -> Any:
    """alone.c, linked to the library of the ctypes door."""
    from ladder.steps import compiler

    from bindings.ctypes.library import lib

    path, kernels = folder / "limits_c.so", Path(lib._name)
    command = [compiler(), "-O2", "-shared", "-fPIC", f"-I{ROOT / 'c_src'}", str(HERE / "alone.c")]
    subprocess.run(
        [*command, str(kernels), f"-Wl,-rpath,{kernels.parent}", "-o", str(path)], check=True
    )
    return ctypes.CDLL(str(path))


def rust(folder: Path) -> Any:
    """alone.rs, with the crate. ImportError: there is no Rust."""
    if shutil.which("rustc") is None:
        raise ImportError("no rustc to build the Rust kernel with")
    crate, path = folder / "libcookbook_kernels.rlib", folder / "limits_rust.so"
    source = str(ROOT / "rust_src" / "src" / "lib.rs")
    name = ("--crate-type", "rlib", "--crate-name", "cookbook_kernels")
    subprocess.run([*RUSTC, *name, source, "-o", str(crate)], check=True)
    command = [*RUSTC, "--crate-type", "cdylib", "--extern", f"cookbook_kernels={crate}"]
    subprocess.run([*command, str(HERE / "alone.rs"), "-o", str(path)], check=True)
    return ctypes.CDLL(str(path))


def timed(library: Any, dtype: str) -> Alone:
    """The library's function for an element type, called as often as lasts."""
    function = getattr(library, f"matmul_{dtype}")
    function.argtypes = [ctypes.c_size_t, *[ctypes.c_void_p] * 3, ctypes.c_size_t]
    function.restype = None
    known: dict[int, int] = {}

    def seconds(a: Any, b: Any, out: Any) -> float:
        arguments = *(array.ctypes.data for array in (a, b, out)), len(a)

        def took(times: int) -> float:
            start = perf_counter()
            function(times, *arguments)
            return perf_counter() - start

        if len(a) not in known:
            times = 1
            while took(times) < LASTS:
                times *= 2
            known[len(a)] = times
        return took(known[len(a)]) / known[len(a)]

    return seconds
