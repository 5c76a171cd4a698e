"""The kernels alone and warm: a plain loop in their own language, the operands in the caches."""

from __future__ import annotations

import ctypes
import random
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from ladder.steps import compiler
from rates import TYPES, Rate, operands

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
SIZES = (8, 32, 64, 128, 256, 512)
LASTS = 5e-3
LINE = 64
OFF = 16  # bytes, by which NumPy's larger arrays miss the beginning of a line
C, RUST, C_OFF = "C", "Rust", "C, as NumPy aligns"
RUSTC = ("rustc", "--edition", "2024", "-C", "opt-level=3", "-C", "codegen-units=1")


def c(folder: Path) -> Any:
    """warm.c, linked to the library of the ctypes binding."""
    from bindings.ctypes.library import lib

    path, kernels = folder / "warm_c.so", Path(lib._name)
    command = [compiler(), "-O2", "-shared", "-fPIC", f"-I{ROOT / 'c_src'}", str(HERE / "warm.c")]
    subprocess.run(
        [*command, str(kernels), f"-Wl,-rpath,{kernels.parent}", "-o", str(path)], check=True
    )
    return ctypes.CDLL(str(path))


def rust(folder: Path) -> Any:
    """Return warm.rs, compiled with the crate; raise ImportError without Rust."""
    if shutil.which("rustc") is None:
        raise ImportError("no rustc to build the Rust kernel with")
    crate, path = folder / "libcookbook_kernels.rlib", folder / "warm_rust.so"
    source = str(ROOT / "rust_src" / "src" / "lib.rs")
    name = ("--crate-type", "rlib", "--crate-name", "cookbook_kernels")
    subprocess.run([*RUSTC, *name, source, "-o", str(crate)], check=True)
    command = [*RUSTC, "--crate-type", "cdylib", "--extern", f"cookbook_kernels={crate}"]
    subprocess.run([*command, str(HERE / "warm.rs"), "-o", str(path)], check=True)
    return ctypes.CDLL(str(path))


def placed(array: Any, offset: int) -> Any:
    """Return a copy that begins `offset` bytes into a cache line."""
    memory = np.empty(array.nbytes + 2 * LINE, np.uint8)
    start = -memory.ctypes.data % LINE + offset
    copy = memory[start : start + array.nbytes].view(array.dtype).reshape(array.shape)
    copy[...] = array
    return copy


def timed(library: Any, a: Any, b: Any, out: Any) -> Callable[[], float]:
    """Seconds of a product, from a row of products long enough to be timed."""
    function = getattr(library, f"matmul_{a.dtype}")
    function.argtypes = [ctypes.c_size_t, *[ctypes.c_void_p] * 3, ctypes.c_size_t]
    function.restype = None
    arguments = *(array.ctypes.data for array in (a, b, out)), len(a)

    def took(times: int) -> float:
        start = perf_counter()
        function(times, *arguments)
        return perf_counter() - start

    times = 1
    while took(times) < LASTS:
        times *= 2
    return lambda: took(times) / times


def measured(
    folder: Path, of_core: Callable[[str], float], absent: dict[str, str], rounds: int
) -> dict[str, dict[str, dict[str, list[Rate]]]]:
    """Return the rates without a binding, by type, size and language.

    Those of C are also taken with the operands where NumPy would place them.
    """
    libraries = {C: c(folder)}
    try:
        libraries[RUST] = rust(folder)
    except ImportError as error:
        absent[f"{RUST}, alone"] = str(error)
    libraries[C_OFF] = libraries[C]
    found: dict[str, dict[str, dict[str, list[Rate]]]] = {}
    for dtype in TYPES:
        for n in SIZES:
            matrices = {
                offset: [placed(array, offset) for array in operands(n, dtype)]
                for offset in (0, OFF)
            }
            contenders = {
                name: timed(library, *matrices[OFF if name == C_OFF else 0])
                for name, library in libraries.items()
            }
            samples: dict[str, list[Rate]] = {name: [] for name in contenders}
            for _ in range(rounds):
                for name in random.sample(list(contenders), len(contenders)):
                    most = of_core(dtype)
                    samples[name].append((2 * n**3 / contenders[name]() / 1e9, most))
            found.setdefault(dtype, {})[str(n)] = samples
    return found
