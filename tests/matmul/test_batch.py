"""matmul of batches: each item is the product of its own two matrices."""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from support.matrices import DTYPES, Array, check, layouts, rng

pytestmark = pytest.mark.part("matmul")

FORMS = [
    *[((3,), (3,)), ((), (3,)), ((3,), ()), ((1,), (3,)), ((3,), (1,)), ((1,), (1,))],
    *[((), (1,)), ((1,), ()), ((40,), (40,)), ((40,), ())],
]


def operand(*shape: int, dtype: Any = np.float64) -> Array:
    return rng.standard_normal(shape).astype(dtype)


# ---- values --------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(("of_a", "of_b"), FORMS)
def test_forms(backend: ModuleType, of_a: Any, of_b: Any, dtype: Any) -> None:
    """Batches broadcast in every way that np.matmul allows."""
    for m, k, n in [(1, 1, 1), (1, 9, 5), (7, 3, 1), (5, 8, 17), (9, 17, 10)]:
        a, b = operand(*of_a, m, k, dtype=dtype), operand(*of_b, k, n, dtype=dtype)
        check(backend.matmul(a, b, threads=2), a, b)
        out = np.full(np.matmul(a, b).shape, np.nan, dtype)
        assert backend.matmul(a, b, out=out) is out
        check(out, a, b)


@pytest.mark.part("matmul", kernels=True, native=True)
@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize(
    ("of_a", "of_b", "m", "k", "n"),
    [
        ((1200,), (1200,), 16, 20, 18),  # each thread takes some items,
        ((1200,), (), 9, 20, 50),  # or some rows of the one product,
        ((3,), (3,), 200, 210, 220),  # or one item and a share of the last
        ((), (3,), 130, 600, 140),
    ],
)
def test_large(
    backend: ModuleType, of_a: Any, of_b: Any, m: int, k: int, n: int, threads: int
) -> None:
    a, b = operand(*of_a, m, k, dtype=np.float32), operand(*of_b, k, n, dtype=np.float32)
    check(backend.matmul(a, b, threads=threads), a, b)


@pytest.mark.parametrize("m", [1, 6])
def test_layouts(backend: ModuleType, m: int) -> None:
    """Every layout of one batch is multiplied by every layout of the other."""
    a, b = operand(3, m, 5), operand(3, 5, 4)
    for x in stacked(a):
        for y in stacked(b):
            check(backend.matmul(x, y), x, y)
            check(backend.matmul(x, y[1]), x, y[1])
            check(backend.matmul(x[1], y), x[1], y)


def stacked(array: Array) -> Iterator[Array]:
    yield from layouts(array)
    yield array[::-1]
    yield array[:, ::-1]
    yield np.moveaxis(np.moveaxis(array, 0, 1).copy(), 1, 0)  # the rows of all items adjacent
    yield np.moveaxis(np.moveaxis(array, 0, 2).copy(), 2, 0)  # the elements of all items
    yield array.swapaxes(1, 2).copy().swapaxes(1, 2)
    yield np.broadcast_to(array[1], array.shape)
    yield np.broadcast_to(array[:, :1], array.shape)
    yield np.lib.stride_tricks.as_strided(array, strides=array.strides[1:2] + array.strides[1:])


# ---- nothing to multiply -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("of_a", "of_b", "of_product"),
    [((), (), ()), ((0,), (0,), (0,)), ((0,), (1,), (0,)), ((), (0,), (0,)), ((3,), (3,), (3,))],
)
def test_empty(backend: ModuleType, of_a: Any, of_b: Any, of_product: Any) -> None:
    for m, k, n in [(0, 3, 4), (2, 0, 4), (2, 3, 0), (0, 0, 0)] + [(2, 3, 4)] * (0 in of_product):
        product = backend.matmul(np.ones((*of_a, m, k)), np.ones((*of_b, k, n)), threads=2)
        assert product.shape == (*of_product, m, n)
        assert (product == 0).all()


@pytest.mark.parametrize(
    ("count", "m", "k", "n"), [(2**40, 0, 3, 4), (2**40, 2, 3, 0), (0, 2**20, 2**20, 2**20)]
)
def test_endless_batches_of_nothing(
    backend: ModuleType, count: int, m: int, k: int, n: int
) -> None:
    a, b = np.broadcast_to(1.0, (count, m, k)), np.broadcast_to(1.0, (count, k, n))
    assert backend.matmul(a, b, threads=2).shape == (count, m, n)
    assert backend.matmul(a, b[:1], threads=2).shape == (count, m, n)


@pytest.mark.parametrize(
    ("of_a", "of_b", "m", "n"),
    [
        ((), (), 2**30, 2**30),
        ((), (), 2**40, 2**40),
        ((2**40,), (2**40,), 2**15, 2**15),
        ((2**20,), (2**20,), 2**20, 2**20),
        ((1,), (2**40,), 2**40, 0),
    ],
)
def test_too_large(backend: ModuleType, of_a: Any, of_b: Any, m: int, n: int) -> None:
    """The last array is empty, but its strides would overflow."""
    a, b = np.broadcast_to(1.0, (*of_a, m, 1)), np.broadcast_to(1.0, (*of_b, 1, n))
    with pytest.raises(MemoryError):
        backend.matmul(a, b)


MEMORY = np.ones(300)


def test_out_that_overlaps(backend: ModuleType) -> None:
    a, b = MEMORY[100:124].reshape(3, 2, 4), MEMORY[200:260].reshape(3, 4, 5)
    before = MEMORY.copy()
    for start in (71, 100, 123, 171, 200, 259):
        for x, y in ((a, b), (a[::-1], b), (a, b[::-1]), (a[:, ::-1], b[:, :, ::-1])):
            with pytest.raises(ValueError, match=r"^out must not overlap a or b$"):
                backend.matmul(x, y, out=MEMORY[start : start + 30].reshape(3, 2, 5))
    assert (before == MEMORY).all()
    for start in (70, 124, 260):
        beside = MEMORY.copy()
        out = beside[start : start + 30].reshape(3, 2, 5)
        x, y = beside[100:124].reshape(a.shape), beside[200:260].reshape(b.shape)
        assert (backend.matmul(x, y, out=out) == 4).all()
    nothing = MEMORY[110:110].reshape(0, 2, 5)
    assert backend.matmul(a[:0], b[:0], out=nothing) is nothing
