"""Sums of integers up to 64 bits, and what must be refused."""

from lessons.cases import Raises, call


def cases(draw):
    """Yield sums of random integers, and the edges of the type."""
    for low in (10, 1 << 40, 1 << 62):
        a, b = draw.integers(2, -low, low)
        yield call("add", a, b, gives=a + b)
    yield call("add", 2**63 - 1, 1, gives=Raises(OverflowError))
    yield call("add", 2**63, 1, gives=Raises(OverflowError))
    yield call("add", 1.5, 1, gives=Raises(TypeError))
    yield call("add", 1, gives=Raises(TypeError))
