"""matmul: what every door refuses, with what words."""

from __future__ import annotations

import tempfile
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from products import Array

pytestmark = pytest.mark.part("matmul")

A, B = np.ones((3, 4)), np.ones((4, 5))
STORE = np.ones(200)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ([[1.0]], B),
        (A, None),
        (A, [[1.0]] * 4),
        (A.astype(np.float32), B),
        (A, B.astype(np.float32)),
        (A.astype(int), B.astype(int)),
        (A.astype(np.float16), B.astype(np.float16)),
        (A.astype(complex), B.astype(complex)),
        (A.astype(">f8"), B.astype(">f8")),
        (A, B.astype(">f8")),
        (A.astype(">f4").T, B.astype(np.float32)),
        (A.astype(object), B),
        (A.astype("M8[s]"), B.astype("M8[s]")),
        (A.astype(bool), B.astype(bool)),
        (memoryview(A), B),
        (A, memoryview(B)),
        (np.float64(1), B),
    ],
    ids=lambda value: f"{type(value).__name__}-{getattr(value, 'dtype', '')}",
)
def test_wrong_types(backend: ModuleType, a: Any, b: Any) -> None:
    with pytest.raises(TypeError):
        backend.matmul(a, b)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (A, A),
        (A[0], B),
        (A, B[:, 0]),
        (np.ones(()), B),
        (A, np.zeros(())),
        (A[None, None], B),
        (A, B[None, None]),
        (np.ones((3, 0)), np.ones((1, 3))),
    ],
)
def test_wrong_shapes(backend: ModuleType, a: Any, b: Any) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - each door words it in its own way
        backend.matmul(a, b)


@pytest.mark.parametrize("kind", [np.recarray, np.ma.MaskedArray, np.matrix, np.memmap])
def test_out_of_a_subclass(backend: ModuleType, kind: type[Array]) -> None:
    if kind is np.memmap:
        with tempfile.TemporaryFile() as file:
            out: Any = np.memmap(file, np.float64, "w+", shape=(3, 5))
    else:
        out = np.zeros((3, 5)).view(kind)
    assert backend.matmul(A.view(np.ma.MaskedArray), B, out=out) is out
    assert (np.asarray(out) == A @ B).all()


def frozen(shape: tuple[int, int]) -> Array:
    array = np.zeros(shape)
    array.flags.writeable = False
    return array


@pytest.mark.parametrize(
    ("error", "out"),
    [
        (TypeError, [[0.0] * 5] * 3),
        (TypeError, memoryview(np.zeros((3, 5)))),
        (TypeError, np.zeros((3, 5), np.float32)),
        (TypeError, np.zeros((3, 5), ">f8")),
        (TypeError, np.zeros((3, 5), int)),
        (ValueError, np.zeros((3, 4))),
        (ValueError, np.zeros((5, 3))),
        (ValueError, np.zeros(15)),
        (ValueError, np.zeros((1, 3, 5))),
        (ValueError, frozen((3, 5))),
        (ValueError, np.zeros((5, 3)).T),
        (ValueError, np.zeros((3, 10))[:, ::2]),
        (ValueError, np.zeros((6, 5))[::2]),
        (ValueError, np.zeros((3, 5))[::-1]),
        (ValueError, np.lib.stride_tricks.as_strided(np.zeros(5), (3, 5), (0, 8))),
        (ValueError, np.zeros(121, np.uint8)[1:].view(np.float64).reshape(3, 5)),
    ],
)
def test_wrong_out(backend: ModuleType, error: type[Exception], out: Any) -> None:
    with pytest.raises(error):
        backend.matmul(A, B, out=out)


@pytest.mark.parametrize("shift", [0, 1, 11])
def test_overlapping_out(backend: ModuleType, shift: int) -> None:
    a, b = STORE[:12].reshape(3, 4), STORE[100:120].reshape(4, 5)
    before = STORE.copy()
    for out in (STORE[shift : shift + 15], STORE[100 - shift : 115 - shift], STORE[119:134]):
        with pytest.raises(ValueError):  # noqa: PT011 - each door words it in its own way
            backend.matmul(a, b, out=out.reshape(3, 5))
    backwards = STORE[11::-1].reshape(3, 4)
    with pytest.raises(ValueError):  # noqa: PT011
        backend.matmul(backwards, b, out=STORE[11:26].reshape(3, 5))
    assert (before == STORE).all()
    backend.matmul(a, b, out=np.empty(27)[12:].reshape(3, 5))
    beside = np.ones(60)
    backend.matmul(beside[:12].reshape(3, 4), b, out=beside[12:27].reshape(3, 5))


class Three:
    def __index__(self) -> int:
        return 3


@pytest.mark.parametrize("threads", [True, np.int8(2), np.uint64(2**64 - 1), Three(), 2**63, 2**99])
def test_any_index_is_a_number_of_threads(backend: ModuleType, threads: Any) -> None:
    assert (backend.matmul(A, B, threads=threads) == A @ B).all()


@pytest.mark.parametrize(
    ("threads", "error"),
    [
        (0, ValueError),
        (-1, ValueError),
        (-(2**63) - 1, ValueError),
        (np.int64(-1), ValueError),
        ("2", TypeError),
        (2.0, TypeError),
        (None, TypeError),
        (np.True_, TypeError),
    ],
)
def test_wrong_threads(backend: ModuleType, threads: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        backend.matmul(A, B, threads=threads)


@pytest.mark.parametrize("size", [1 << 30, 1 << 40])
def test_too_large(backend: ModuleType, size: int) -> None:
    column, row = np.broadcast_to(1.0, (size, 1)), np.broadcast_to(1.0, (1, size))
    with pytest.raises(MemoryError):
        backend.matmul(column, row)


def test_argument_names(backend: ModuleType) -> None:
    assert backend.matmul(b=B, a=A).shape == (3, 5)
    for arguments, keywords in [
        ((A,), {}),
        ((A, B, None), {}),
        ((A, B), {"c": 1}),
        ((A, B), {"a": A}),
    ]:
        with pytest.raises(TypeError):
            backend.matmul(*arguments, **keywords)
