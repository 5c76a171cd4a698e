"""The right answers of the functions of a template."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from .outcomes import raises


def ema(x: Any, alpha: float = 0.5) -> np.ndarray:
    """Return the exponential moving average."""
    made: list[float] = []
    for value in np.asarray(x, np.float64).tolist():
        made.append(made[-1] + alpha * (value - made[-1]) if made else value)
    return np.array(made)


def averages(average: Callable[[Any, float], Any], error: str, to: Any, of: Any) -> Iterator[str]:
    """Yield the wrong answers of `average(x, alpha)`, where `to` and `of` convert arrays."""
    for n in (0, 1, 2, 1000):
        x = np.random.default_rng(n).normal(size=n)
        if not np.array_equal(of(average(to(x), 0.25)), ema(x, 0.25)):
            yield f"the average of {n} numbers"
    for alpha in (0.0, -1.0, 1.5, float("nan")):
        message = f"{error}: alpha must be above 0 and at most 1"
        yield from raises(message, average, to(np.ones(3)), alpha)
    for bad in (np.nan, np.inf):
        yield from raises(f"{error}: x must be finite", average, to(np.array([1.0, bad])), 0.5)


def checksums(crc32: Callable[[Any], int], to: Any) -> Iterator[str]:
    for n in (0, 1, 2, 1000):
        data = np.random.default_rng(n).bytes(n)
        if crc32(to(data)) != zlib.crc32(data):
            yield f"the checksum of {n} bytes"
