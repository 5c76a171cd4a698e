"""matmul: operands with any strides, and the strides that `out` may have."""

from __future__ import annotations

from types import ModuleType

import numpy as np
import pytest

from support.matrices import DTYPES, case, check, layouts, rng

pytestmark = pytest.mark.part("matmul")


@pytest.mark.parametrize("dtype", DTYPES)
def test_layouts(backend: ModuleType, dtype: type) -> None:
    one = case(19, 21, 18, dtype)
    for a in layouts(one.a):
        for b in layouts(one.b):
            one.check(backend.matmul(a, b))
    row = np.broadcast_to(one.a[:1], one.a.shape)
    check(backend.matmul(row, one.b), row, one.b)


def test_out(backend: ModuleType) -> None:
    a, b = rng.standard_normal((9, 10)), rng.standard_normal((10, 11))
    out = np.full((9, 11), np.nan)
    assert backend.matmul(a, b, out=out, threads=2) is out
    check(out, a, b)
    inside = np.full((4, 11, 11), np.nan)
    backend.matmul(a, b, out=inside[1, :9])
    check(inside[1, :9], a, b)
    assert np.isnan(inside[[0, 2, 3]]).all()
    assert np.isnan(inside[1, 9:]).all()


def test_out_with_a_stride_that_does_not_matter(backend: ModuleType) -> None:
    a, b = rng.standard_normal((1, 3)), rng.standard_normal((3, 5))
    out = np.full((4, 5), np.nan)[::-1][:1]
    assert out.flags.c_contiguous
    assert out.strides[0] < 0
    assert backend.matmul(a, b, out=out) is out
    check(out, a, b)


def test_an_empty_out_lies_anywhere(backend: ModuleType) -> None:
    """An array without elements is never misaligned or in the wrong place."""
    a, b = np.ones((2, 5, 4)), np.ones((1, 4, 0))
    for out in (
        np.zeros((2, 5, 0)),
        np.ndarray((2, 5, 0), np.float64, bytearray(9), 1, (8, 80, 8)),
    ):
        assert backend.matmul(a, b, out=out) is out
