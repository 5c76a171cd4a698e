"""Sums of random integers, -1 among them, and lines that are not integers, at each position."""

from ffi_cookbook_lessons.cases import Raises, call


def cases(draw):
    """Yield lists of all sizes, then the refusals."""
    for n in draw.sizes(40):
        numbers = draw.integers(n, -(10**9) + 1, 10**9 - 1)
        yield call("total", [b"%d" % number for number in numbers], gives=sum(numbers))
    yield call("total", [b"5", b"-1", b"007", b"-0"], gives=11)
    yield call("total", [b"-1"], gives=-1)
    for line in (b"1x", b"", b"-", b"--1", b"1-", b" 1", b"1234567890", b"1\x002"):
        position = draw.randint(0, 2)
        lines = [b"20", b"22"]
        lines.insert(position, line)
        yield call("total", lines, gives=Raises(ValueError, str(line)))
    yield call("total", [b"1", "2"], gives=Raises(TypeError))
    yield call("total", [b"1", None], gives=Raises(TypeError))
    yield call("total", None, gives=Raises(TypeError))
