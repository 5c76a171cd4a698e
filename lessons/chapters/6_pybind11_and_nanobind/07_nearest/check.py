"""Nearest points by NumPy, allocations counted, and what must be refused."""

import numpy as np

from ffi_cookbook_lessons.cases import Made, Raises, call, drive

MOST = 30
"""The number of allocations that a call may make."""


def pairs(draw, n):
    """Return n points of a coarse grid, so that some are equally near."""
    return np.array(draw.integers(2 * n, -9, 9), np.float64).reshape(n, 2)


def cases(draw):
    """Yield answers, then allocations, then memory and errors."""
    for n, m in ((1, 1), (2, 5), (draw.randint(3, 30), draw.randint(3, 30)), (4, 0)):
        points, queries = pairs(draw, n), pairs(draw, m)
        squares = ((queries[:, None] - points) ** 2).sum(2)
        wanted = squares.argmin(1).astype(np.int64)
        yield call("nearest", points, queries, gives=wanted, says=f"nearest of {n} and {m}")
        points, queries = (np.array(draw.floats(2 * i)).reshape(i, 2) for i in (n, m))
        wanted = ((queries[:, None] - points) ** 2).sum(2).argmin(1).astype(np.int64)
        yield call(
            "nearest",
            Made("spread", (points,)),
            Made("spread", (queries,)),
            gives=wanted,
            rule="not-contiguous",
            says="nearest of arrays with strides",
        )
    points, queries = pairs(draw, 20), pairs(draw, 40)
    squares = ((queries[:, None] - points) ** 2).sum(2)
    expected = squares.argmin(1).astype(np.int64)
    says = "nearest of 20 points and 40 queries"
    yield call("nearest", points, queries, gives=expected, objects=MOST, timed=True, says=says)
    says = "memory that nearest of 20000 points allocates by NumPy"
    yield drive(
        "bytes_allocated", 20000, gives=True, rule="copied", repeat=0, modes=("release",), says=says
    )
    for wrong in (points.astype(np.float32), np.ones((3, 3)), np.ones(2), points.tolist()):
        yield call("nearest", wrong, queries, gives=Raises(TypeError), rule="wrong-dtype")
        yield call("nearest", points, wrong, gives=Raises(TypeError), rule="wrong-dtype")
    yield call("nearest", pairs(draw, 0), queries, gives=Raises(ValueError))
