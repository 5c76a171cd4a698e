"""The steps: found, compiled as their heads say, and compared with sums in double precision."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from benchmarks.core.native import shared
from studies.matmul.rates import Multiply

HERE = Path(__file__).parent / "c"
GUARD = np.full(64, 0x7FA00000, np.uint32).view(np.float32)
"""Lies on both sides of a matrix: signalling NaN, which even adding 0 to it changes."""
SHAPES = (
    (1, 1, 1),
    (3, 5, 7),
    (8, 1, 48),
    (17, 33, 65),
    (0, 3, 2),
    (2, 0, 3),
    (3, 2, 0),
    (97, 521, 131),
    (331, 9, 5),
    (5, 3, 2311),  # more than a block of k, of m, of n
)
"""m, k, n: few are a whole number of tiles."""
Matrix = Any


class Step(NamedTuple):
    """A file of the ladder, and flags to compile it with."""

    name: str
    source: Path
    flags: tuple[str, ...]


def steps() -> list[Step]:
    """Return the steps in C, by the lines `Build:` and `Or:` of their heads."""
    found = []
    for source in sorted(HERE.glob("[0-9]_*.c")):
        number, _, title = source.stem.partition("_")
        lines = re.findall(r"^ \* (?:Build|Or): +cc (.+)$", source.read_text("utf-8"), re.MULTILINE)
        for line in lines:
            other = "" if line == lines[0] else f", {line.split()[0]}"
            found.append(Step(f"{number} {title}{other}", source, tuple(line.split())))
    return found


def compiled(step: Step, folder: Path) -> Multiply:
    """Return the step as a function of float32, C-contiguous."""
    here = folder / step.name
    here.mkdir()
    library = shared(step.source, here, *step.flags, "-Wall", "-Wextra")
    function = ctypes.CDLL(str(library)).matmul
    function.argtypes, function.restype = [ctypes.c_long] * 3 + [ctypes.c_void_p] * 3, None

    def matmul(a: Matrix, b: Matrix, out: Matrix) -> None:
        function(*a.shape, b.shape[1], a.ctypes.data, b.ctypes.data, out.ctypes.data)

    return matmul


def guarded(rows: int, columns: int) -> tuple[Matrix, Matrix]:
    """Return a matrix of NaN, and the memory around it, with guards."""
    inside = np.full(rows * columns, np.nan, np.float32)
    memory = np.concatenate([GUARD, inside, GUARD])
    return memory[GUARD.size : -GUARD.size].reshape(rows, columns), memory


def complaints(
    matmul: Multiply, shapes: Iterator[tuple[int, int, int]] | Any = SHAPES
) -> list[str]:
    """Return the fault of a step.

    That is an element beyond the error bound of any order of summation, k u |a| |b| (N. J. Higham,
    "Accuracy and Stability of Numerical Algorithms", 3.5), or a byte outside the result.
    """
    found, random = [], np.random.default_rng(5)
    for m, k, n in shapes:
        (a, _), (b, _), (out, memory) = guarded(m, k), guarded(k, n), guarded(m, n)
        a[:], b[:] = random.standard_normal((m, k)), random.standard_normal((k, n))
        matmul(a, b, out)
        exact = a.astype(np.float64) @ b.astype(np.float64)
        bound = k * 2.0**-24 * (abs(a).astype(np.float64) @ abs(b).astype(np.float64))
        if not (abs(out - exact) <= bound).all():
            found.append(f"{m}x{k} @ {k}x{n}: beyond the error bound")
        ends = memory[: GUARD.size], memory[-GUARD.size :]
        if any(end.tobytes() != GUARD.tobytes() for end in ends):
            found.append(f"{m}x{k} @ {k}x{n}: written outside the result")
    return found
