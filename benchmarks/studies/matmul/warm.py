"""The kernels alone and warm: a plain loop in their own language, the operands in the caches."""

from __future__ import annotations

import ctypes
import random
import shutil
import subprocess
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np

from benchmarks import ROOT
from benchmarks.core.figures import interval, table
from benchmarks.core.native import beside_kernels
from benchmarks.studies.matmul.rates import LABELS, TYPES, Rate, Rates, operands, peak, shares
from benchmarks.study import Result, Setting

HERE = Path(__file__).parent
SIZES = (8, 32, 64, 128, 256, 512)
LASTS = 5e-3
LINE = 64
OFF = 16  # bytes: the offset of NumPy's larger arrays in a cache line
C, RUST = LABELS.values()
C_OFF = "C, as NumPy aligns"
RUSTC = ("rustc", "--edition", "2024", "-C", "opt-level=3", "-C", "codegen-units=1")


BAR, TINY_BAR = 95, 15  # per cent of the peak, nanoseconds for 8


def rust(folder: Path) -> Any:
    """Return warm.rs, compiled with the crate; raise ImportError without Rust."""
    if shutil.which("rustc") is None:
        raise ImportError("no rustc to build the Rust kernel")
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
    """Return the seconds of a product, from a series that is long enough to be timed."""
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


def measure(setting: Setting) -> Result:
    """Return the rates without a binding, by type, size and language.

    C is also measured with the operands where NumPy would place them.
    """
    libraries = setting.load(C, partial(beside_kernels, HERE / "warm.c", setting.folder))
    libraries |= setting.load(RUST, partial(rust, setting.folder))
    if C in libraries:
        libraries[C_OFF] = libraries[C]
    of_core, found = peak(setting.folder), Rates()
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
            for _ in range(setting.rounds):
                for name in random.sample(list(contenders), len(contenders)):
                    most = of_core(dtype)
                    samples[name].append((2 * n**3 / contenders[name]() / 1e9, most))
            found.setdefault(dtype, {})[str(n)] = samples
    return found


def show(found: Result, _: list[str]) -> str:
    """Return the shares of the peak, and for the smallest size the time."""
    first = next(iter(found.values()))
    columns = [(dtype, name) for dtype in found for name in next(iter(first.values()))]
    lines, met, cells = [], 0, 0
    for n in first:
        texts = []
        for dtype, name in columns:
            samples = found[dtype][n][name]
            of_peak = shares(samples)
            if n == "8":
                texts.append(f"{2 * int(n) ** 3 / median(known for known, _ in samples):.0f} ns")
                continue
            texts.append(interval(of_peak, "%"))
            if name in (C, RUST):
                cells += 1
                met += median(of_peak) >= BAR
        lines.append([n, *texts])
    heads = ["N", *(f"{name}, {dtype}" for dtype, name in columns)]
    return (
        f"{table(heads, lines)}\n\n"
        f"Goals: {TINY_BAR} ns for 8, and {BAR}% of the peak from N = 32 on: met in {met} of "
        f"{cells} cells."
    )
