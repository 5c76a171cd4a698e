"""Small and loud samples, arrays that are gone or written to, and what must be refused."""

from itertools import pairwise

from ffi_cookbook_lessons.cases import Raises, drive


def wanted(values):
    """Return the energy and the crossings, in plain Python."""
    signs = [value < 0 for value in values]
    crossings = sum(a != b for a, b in pairwise(signs))
    return sum(value * value for value in values), crossings


def cases(draw):
    """Yield quiet samples, loud ones, and then arrays that are gone."""
    for n in (0, 1, 3, draw.randint(4, 50)):
        values = draw.integers(n, -100, 100)
        yield drive("of", values, gives=wanted(values))
    for first in (-1, 1):  # the sign of the first sample must not count
        values = [first * 5, *draw.integers(draw.randint(20, 40), -9, 9), -first]
        yield drive("of", values, gives=wanted(values))
    loud = draw.integers(300, -(2**23), 2**23 - 1)
    yield drive("of", loud, gives=wanted(loud))
    value = draw.randint(10, 100)
    gives = 5000 * value**2, 0
    yield drive("alone", 5000, value, gives=gives, rule="use-after-free", repeat=10)
    yield drive("alone", 65536, -(2**23), gives=(2**62, 0), repeat=10)
    other = draw.integers(300, -1000, 1000)
    copied = (wanted(loud), "copied")
    yield drive("written", loud, other, gives=wanted(other), mistakes=(copied,))
    yield drive("resized", 4, gives=9, rule="reference-kept")
    yield drive("refused", [1, 2], "int64", gives=Raises(ValueError), rule="wrong-dtype")
