"""The binding of an existing library: what it accepts, refuses and leaves alone."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from support.backends import missing
from support.matrices import DTYPES, case, layouts

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture
def blas(monkeypatch: pytest.MonkeyPatch) -> Any:
    if find_spec("scipy_openblas32") is None:
        missing("the package scipy-openblas32")
    monkeypatch.syspath_prepend(EXAMPLES)
    return import_module("blas")


@pytest.mark.parametrize("dtype", DTYPES)
def test_every_layout(dtype: Any, blas: Any) -> None:
    """The last of them has rows that begin at odd places."""
    for m, k, n in ((1, 1, 1), (1, 7, 1), (5, 1, 6), (1, 4, 9), (9, 4, 1), (33, 65, 17)):
        one = case(m, k, n, dtype)
        for a, b in product([*layouts(one.a), odd(one.a)], [*layouts(one.b), odd(one.b)]):
            out = np.full((m, n), np.nan, dtype)
            assert blas.matmul(a, b, out=out) is out
            one.check(out)


def odd(x: Any) -> Any:
    """Return the matrix with a byte between its rows."""
    rows, columns = x.shape
    moved = np.empty((rows, columns * x.itemsize + 1), np.uint8)[:, :-1].view(x.dtype)
    moved[:] = x
    return moved


@pytest.mark.parametrize("shape", [(0, 3, 2), (2, 0, 3), (3, 2, 0), (0, 0, 0)])
def test_nothing_to_multiply(shape: tuple[int, int, int], blas: Any) -> None:
    m, k, n = shape
    out = np.full((m, n), np.nan, np.float32)
    blas.matmul(np.ones((m, k), np.float32), np.ones((k, n), np.float32), out=out)
    assert np.array_equal(out, np.zeros((m, n)))


def test_repeated_elements_are_copied(blas: Any) -> None:
    a = np.broadcast_to(np.float32([[1], [2]]), (2, 3))
    b = np.lib.stride_tricks.sliding_window_view(np.arange(6, dtype=np.float32), 4)
    assert np.array_equal(blas.matmul(a, b), np.matmul(a, b))


def test_refused_arguments(blas: Any) -> None:
    a = np.ones((2, 3), np.float32)
    b = np.ones((3, 4), np.float32)
    for wrong, kind in (
        ((a.astype(np.float16), b), TypeError),
        ((a.astype(np.int32), b), TypeError),
        ((a.astype(">f4"), b), TypeError),
        ((a, b.astype(np.float64)), TypeError),
        ((a.tolist(), b), TypeError),
        ((a, a), ValueError),
        ((a[0], b), ValueError),
        ((a[None], b), ValueError),
    ):
        with pytest.raises(kind):
            blas.matmul(*wrong)
    overlapping = np.ones((3, 4), np.float32)
    for out, left, right in (
        (np.ones((4, 2), np.float32), a, b),
        (np.ones((2, 8), np.float32)[:, ::2], a, b),
        (np.ones((2, 4)), a, b),
        (np.broadcast_to(np.float32(1), (2, 4)), a, b),
        (overlapping[:2], a, overlapping),
    ):
        with pytest.raises((TypeError, ValueError), match="out"):
            blas.matmul(left, right, out=out)


def test_sizes_beyond_int_are_refused(blas: Any) -> None:
    long = np.lib.stride_tricks.as_strided(np.ones(1, np.float32), (1, 2**31), (4, 0))
    with pytest.raises(OverflowError, match="2147483648 does not fit"):
        blas.matmul(long, long.T)


def test_its_symbols_stay_private(blas: Any) -> None:
    """Otherwise SciPy, loaded later, would call this library instead of its own."""
    code = "import blas, ctypes; ctypes.CDLL(None).scipy_cblas_sgemm"
    program = f"import sys; sys.path.append({str(EXAMPLES)!r}); {code}"
    run = subprocess.run([sys.executable, "-P", "-c", program], capture_output=True, text=True)
    assert "AttributeError" in run.stderr
    assert "undefined symbol: scipy_cblas_sgemm" in run.stderr
