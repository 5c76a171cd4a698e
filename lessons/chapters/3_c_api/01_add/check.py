"""Sums of integers up to 64 bits, and what must be refused."""

from ffi_cookbook_lessons.cases import Raises, call


def cases(draw):
    """Yield sums of integers, most of them too large for the cache of small ints, and the edges."""
    for most in (5000, 1 << 40, 1 << 62):
        a, b = draw.integers(2, most // 2, most)
        b *= draw.choice([1, -2])
        yield call("add", a, b, gives=a + b)
    yield call("add", 2**63 - 1, -(2**63), gives=-1)
    yield call("add", -5, 4, gives=-1)  # -1 is a value too
    yield call("add", 2**63 - 1, draw.randint(1, 9), gives=Raises(OverflowError))
    yield call("add", -(2**63), -draw.randint(1, 9), gives=Raises(OverflowError))
    yield call("add", 2**63, 1, gives=Raises(OverflowError))
    yield call("add", 1.5, 1, gives=Raises(TypeError))
    yield call("add", 1, "2", gives=Raises(TypeError))
    yield call("add", 1, gives=Raises(TypeError))
    yield call("add", 1, 2, 3, gives=Raises(TypeError))
