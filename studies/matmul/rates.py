"""GFLOP/s of products of matrices, and the peak of a core just before."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from benchmarks.core.native import shared

LABELS = {"capi": "C", "pyo3": "Rust"}
"""By binding, the language of its kernel."""
C, NUMPY, TORCH = LABELS["capi"], "NumPy", "torch.mm"
SLICE = 0.02
PEAK, PEAK_ROUNDS = Path(__file__).parent / "c" / "peak.c", 100_000
Rate = tuple[float, float]
"""GFLOP/s, and the peak in the same unit."""
Multiply = Callable[[Any, Any, Any], object]
"""multiply(a, b, out)"""


def peak(folder: Path) -> Callable[[], float]:
    """Return a function that measures GFLOP/s of independent multiply-adds of float32."""
    library = shared(PEAK, folder, "-O3", "-ffp-contract=fast")
    chains, out = ctypes.CDLL(str(library)).peak, ctypes.c_float()
    chains.argtypes, chains.restype = (ctypes.c_size_t, ctypes.c_void_p), ctypes.c_size_t
    work = partial(chains, PEAK_ROUNDS, ctypes.addressof(out))
    return lambda: rate(work)


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
