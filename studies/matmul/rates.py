"""GFLOP/s of products of matrices, and the peak of a core just before."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from benchmarks.core import native

LABELS = {"capi": "C", "pyo3": "Rust"}
"""By binding, the language of its kernel."""
C, NUMPY, TORCH = LABELS["capi"], "NumPy", "torch.mm"
SLICE = 0.02
PEAK_ROUNDS = 100_000
TYPES = ("float32", "float64")
Rate = tuple[float, float]
"""GFLOP/s, and the peak in the same unit."""
Rates = dict[str, dict[str, dict[str, list[Rate]]]]
"""By type, size and contender."""
Multiply = Callable[[Any, Any, Any], object]
"""multiply(a, b, out)"""


def peak(folder: Path) -> Callable[[str], float]:
    """Return a function that measures GFLOP/s of independent multiply-adds for a dtype.

    A register holds half as many float64.
    """
    chains, out = native.peak(folder), ctypes.c_float()
    work = partial(chains, PEAK_ROUNDS, ctypes.addressof(out))
    return lambda dtype: rate(work) / (np.dtype(dtype).itemsize // 4)


def rate(work: Callable[[], float]) -> float:
    """Return GFLOP/s of work that is repeated for a slice; short work runs once before."""
    start = perf_counter()
    done = work()
    if perf_counter() - start < SLICE:
        start, done = perf_counter(), 0.0
        while perf_counter() - start < SLICE:
            done += work()
    return done / (perf_counter() - start) / 1e9


def product(multiply: Multiply, a: Any, b: Any, out: Any) -> Callable[[], float]:
    """Return work for `rate`: one product, and its number of floating-point operations."""
    operations = 2.0 * a.shape[0] * a.shape[1] * b.shape[1]

    def work() -> float:
        multiply(a, b, out)
        return operations

    return work


def operands(n: int, dtype: str) -> tuple[Any, Any, Any]:
    """Return a, b and room for their product; a and b are the same in every process."""
    generator = np.random.default_rng(n)
    a, b = (generator.standard_normal((n, n), dtype) for _ in "ab")
    return a, b, np.empty_like(a)


def keyword(matmul: Callable[..., Any], **options: Any) -> Multiply:
    """Return a binding's matmul, or NumPy's."""
    return lambda a, b, out: matmul(a, b, out=out, **options)


def torch_mm() -> Multiply:
    """Multiply arrays with torch.mm, on one thread; raise ImportError without torch."""
    import torch

    torch.set_num_threads(1)
    return lambda a, b, out: torch.mm(*map(torch.from_numpy, (a, b)), out=torch.from_numpy(out))


def shares(samples: Sequence[Rate]) -> list[float]:
    """Return the shares of the peak, in per cent."""
    return [100 * known / most for known, most in samples]


def ratios(samples: Mapping[str, Sequence[Rate]], other: str) -> list[float]:
    """Return C's rate divided by another's, round by round."""
    return [
        ours / theirs for (ours, _), (theirs, _) in zip(samples[C], samples[other], strict=True)
    ]


def rows(nested: Mapping[str, Mapping[str, Any]]) -> Iterator[tuple[str, str, Any]]:
    """Yield the type, the size, and the results."""
    for dtype, by_size in nested.items():
        for n, found in by_size.items():
            yield dtype, n, found
