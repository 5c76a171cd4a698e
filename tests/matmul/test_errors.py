"""matmul: the kernel refuses with one message, and conversion in each binding's own way."""

from __future__ import annotations

import contextlib
import re
import tempfile
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from support.matrices import Array

pytestmark = pytest.mark.part("matmul")

CONVERSION = (TypeError, ValueError)
A, B = np.ones((3, 4)), np.ones((4, 5))


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
        (np.float64(1), B),
    ],
    ids=lambda value: f"{type(value).__name__}-{getattr(value, 'dtype', '')}",
)
def test_wrong_types(backend: ModuleType, a: Any, b: Any) -> None:
    with pytest.raises(CONVERSION):
        backend.matmul(a, b)


def test_a_buffer_that_is_not_an_array(backend: ModuleType) -> None:
    """A binding may accept or refuse an object with the buffer protocol."""
    for a, b in ((memoryview(A), B), (A, memoryview(B))):
        with contextlib.suppress(*CONVERSION):
            assert (backend.matmul(a, b) == A @ B).all()


BATCH_A, BATCH_B = np.ones((3, 2, 4)), np.ones((3, 4, 5))


@pytest.mark.parametrize(
    ("a", "b", "words"),
    [
        (A, A, "a has 4 columns but b has 3 rows"),
        (np.ones((3, 0)), np.ones((1, 3)), "a has 0 columns but b has 1 rows"),
        (A[0], B, "a must have 2 or 3 dimensions, not 1"),
        (np.ones(()), B, "a must have 2 or 3 dimensions, not 0"),
        (A, np.zeros(()), "b must have 2 or 3 dimensions, not 0"),
        (BATCH_A[None], BATCH_B, "a must have 2 or 3 dimensions, not 4"),
        (BATCH_A, BATCH_B[:, None, None], "b must have 2 or 3 dimensions, not 5"),
        (BATCH_A, BATCH_A, "a has 4 columns but b has 2 rows"),
        (BATCH_A, BATCH_B[:2], "a has 3 matrices but b has 2"),
        (BATCH_A[:0], BATCH_B, "a has 0 matrices but b has 3"),
    ],
)
def test_shapes_that_do_not_fit(backend: ModuleType, a: Any, b: Any, words: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(words)}$"):
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
    "out",
    [
        [[0.0] * 5] * 3,
        np.zeros((3, 5), np.float32),
        np.zeros((3, 5), ">f8"),
        np.zeros((3, 5), int),
        frozen((3, 5)),
    ],
)
def test_out_that_is_not_a_writable_array_of_the_dtype(backend: ModuleType, out: Any) -> None:
    with pytest.raises(CONVERSION):
        backend.matmul(A, B, out=out)


LAYOUT = "must be C-contiguous and aligned"


@pytest.mark.parametrize(
    ("a", "b", "words", "out"),
    [
        (A, B, "must have shape (3, 5), not (3, 4)", np.zeros((3, 4))),
        (A, B, "must have shape (3, 5), not (1, 3, 5)", np.zeros((1, 3, 5))),
        (A, B, "must have 2 or 3 dimensions, not 1", np.zeros(15)),
        (A, B, LAYOUT, np.zeros((5, 3)).T),
        (A, B, LAYOUT, np.zeros((3, 10))[:, ::2]),
        (A, B, LAYOUT, np.zeros((6, 5))[::2]),
        (A, B, LAYOUT, np.zeros((3, 5))[::-1]),
        (A, B, LAYOUT, np.lib.stride_tricks.as_strided(np.zeros(5), (3, 5), (0, 8))),
        (A, B, LAYOUT, np.zeros(121, np.uint8)[1:].view(np.float64).reshape(3, 5)),
        (BATCH_A, BATCH_B, "must have shape (3, 2, 5), not (2, 5)", np.ones((2, 5))),
        (BATCH_A, BATCH_B, "must have shape (3, 2, 5), not (3, 5, 2)", np.ones((3, 5, 2))),
        (BATCH_A, BATCH_B, "must have 2 or 3 dimensions, not 4", np.ones((1, 3, 2, 5))),
        (BATCH_A, BATCH_B, LAYOUT, np.ones((6, 2, 5))[::2]),
        (BATCH_A, BATCH_B, LAYOUT, np.ones((3, 5, 2)).swapaxes(1, 2)),
    ],
)
def test_wrong_out(backend: ModuleType, a: Array, b: Array, words: str, out: Any) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(f'out {words}')}$"):
        backend.matmul(a, b, out=out)


class Three:
    def __index__(self) -> int:
        return 3


@pytest.mark.parametrize("threads", [1, 5, 2**62, True, np.int8(2), np.uint64(2**62), Three()])
def test_any_index_is_a_number_of_threads(backend: ModuleType, threads: Any) -> None:
    assert (backend.matmul(A, B, threads=threads) == A @ B).all()


@pytest.mark.parametrize("threads", [0, -1, -(2**63), np.int64(-1)])
def test_too_few_threads(backend: ModuleType, threads: Any) -> None:
    for out in (None, np.zeros((3, 5))):
        with pytest.raises(ValueError, match=f"^threads must be at least 1, not {int(threads)}$"):
            backend.matmul(A, B, out=out, threads=threads)


@pytest.mark.parametrize("threads", ["2", 2.0, None, np.True_, 2**64, -(2**64)])
def test_what_is_not_a_number_of_threads(backend: ModuleType, threads: Any) -> None:
    with pytest.raises((TypeError, ValueError, OverflowError)):
        backend.matmul(A, B, threads=threads)
