"""Matrix products, and a check that they are right."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
DTYPES = (np.float32, np.float64)
ISAS = ("portable", "avx2", "avx512")
rng = np.random.default_rng(20)


class Case:
    """Two operands, and their product, which is exact within K * u * (|A| |B|)."""

    def __init__(self, a: Array, b: Array) -> None:
        wide = np.float64 if a.dtype == np.float32 else np.longdouble
        self.a, self.b = a, b
        self.exact = a.astype(wide) @ b.astype(wide)
        info = np.finfo(a.dtype)
        # (1 + u)^K - 1 <= 1.01 K u for these K. Where a product of two items underflows, rounding
        # adds at most half of the smallest denormal to it (Higham, Accuracy and Stability, 2.2).
        k = max(a.shape[-1], 1)
        underflow = k * wide(info.smallest_subnormal) / 2
        self.bound = 1.01 * k * (info.eps / 2) * (abs(a).astype(wide) @ abs(b)) + underflow

    def check(self, product: Array) -> None:
        assert product.dtype == self.a.dtype
        assert product.shape == self.exact.shape
        assert product.flags.c_contiguous
        assert (abs(product - self.exact) <= self.bound).all()


@cache
def case(m: int, k: int, n: int, dtype: type) -> Case:
    return Case(
        rng.standard_normal((m, k)).astype(dtype), rng.standard_normal((k, n)).astype(dtype)
    )


def check(product: Array, a: Array, b: Array) -> None:
    Case(a, b).check(product)


def layouts(array: Array) -> Iterator[Array]:
    """Yield the same values in every layout that strides can describe."""
    yield array
    yield np.asfortranarray(array)
    yield array[::-1, ::-1].copy()[::-1, ::-1]
    *batch, rows, columns = array.shape
    wide = np.zeros((*batch, 2 * rows, 3 * columns), array.dtype)
    wide[..., ::2, ::3] = array
    yield wide[..., ::2, ::3]
    record = np.zeros(array.shape, np.dtype([("pad", "u1"), ("value", array.dtype)]))
    record["value"] = array
    yield record["value"]  # misaligned: the strides are not multiples of the item size
    frozen = array.copy()
    frozen.flags.writeable = False
    yield frozen
