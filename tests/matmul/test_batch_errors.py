"""matmul of batches: the arguments that every kernel refuses, with the same message."""

from __future__ import annotations

import re
from types import ModuleType
from typing import Any

import numpy as np
import pytest

pytestmark = pytest.mark.part("matmul")

A, B = np.ones((3, 2, 4)), np.ones((3, 4, 5))
MEMORY = np.ones(300)


@pytest.mark.parametrize(
    ("a", "b", "words"),
    [
        (A[0, 0], B, "a must have 2 or 3 dimensions, not 1"),
        (A, B[:1, 0, 0], "b must have 2 or 3 dimensions, not 1"),
        (A[None], B, "a must have 2 or 3 dimensions, not 4"),
        (A, B[:, None, None], "b must have 2 or 3 dimensions, not 5"),
        (A, A, "a has 4 columns but b has 2 rows"),
        (A, B[:2], "a has 3 matrices but b has 2"),
        (A[:0], B, "a has 0 matrices but b has 3"),
    ],
)
def test_shapes_that_do_not_fit(backend: ModuleType, a: Any, b: Any, words: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(words)}$"):
        backend.matmul(a, b)


@pytest.mark.parametrize(
    ("out", "words"),
    [
        (np.ones((2, 5)), "out must have shape (3, 2, 5), not (2, 5)"),
        (np.ones((1, 2, 5)), "out must have shape (3, 2, 5), not (1, 2, 5)"),
        (np.ones((3, 5, 2)), "out must have shape (3, 2, 5), not (3, 5, 2)"),
        (np.ones((1, 3, 2, 5)), "out must have 2 or 3 dimensions, not 4"),
        (np.ones(30), "out must have 2 or 3 dimensions, not 1"),
        (np.ones((6, 2, 5))[::2], "out must be C-contiguous and aligned"),
        (np.ones((3, 2, 5))[::-1], "out must be C-contiguous and aligned"),
        (np.ones((3, 5, 2)).swapaxes(1, 2), "out must be C-contiguous and aligned"),
    ],
)
def test_out_that_does_not_fit(backend: ModuleType, out: Any, words: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(words)}$"):
        backend.matmul(A, B, out=out)


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
